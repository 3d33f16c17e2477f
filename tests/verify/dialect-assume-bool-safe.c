// verdict: holds
// An assumption whose prototype takes a truth value.
void __CPROVER_assume(_Bool condition);
int nondet_int(void);

int main(void) {
    int x = nondet_int();
    __CPROVER_assume(x > 3 && x < 9);
    assert(x != 3);
    return 0;
}
