// verdict: holds
// A function of that name with a body is the program's own.
int nondet_int(void) { return 4; }

int main(void) {
    assert(nondet_int() == 4);
    return 0;
}
