// verdict: violated
// The same, where the assumption lets the failure through.
void __CPROVER_assume(_Bool condition);
int nondet_int(void);

int main(void) {
    int x = nondet_int();
    __CPROVER_assume(x > 3 && x < 9);
    assert(x != 4);
    return 0;
}
