// verdict: holds
// Whether a sum overflows.
int nondet_int();

int main() {
    int x = nondet_int();
    if (!__CPROVER_overflow_plus(x, 1))
        assert(x + 1 > x);
    return 0;
}
