// verdict: holds
// args: --64
// An assumption about a value of 64 bits, without a prototype: all of its bits count.
long long nondet_longlong(void);

int main(void) {
    long long x = nondet_longlong();
    __CPROVER_assume(x);
    assert(x != 0);
    return 0;
}
