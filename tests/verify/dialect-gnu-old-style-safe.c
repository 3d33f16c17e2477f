// verdict: holds
// Functions in the old style: arguments are promoted, and converted by the callee.
int low(c, d) char c; short d; { return c + d; }
helper(x) { return x + 1; }
main() {
    register x = nondet_int();
    if (x == 300)
        assert(low(x, 0) == 44);
    assert(helper(1) == 2);
    return 0;
}
