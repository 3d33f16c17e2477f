// verdict: holds
// Names of CBMC and SATABS, and `assert` without its header.
int add(a, b) int a, b; { return a + b; }

main() {
    int x = nondet_int();
    __CPROVER_assume(x > 3 && x < 100);
    __CPROVER_assert(add(x, 1) > 4, "x is large");
    assert(add(1, 2) == 3);
    return 0;
}
