// verdict: violated
// args: --64
// An assumption about a value of 64 bits: a number whose low half is zero passes.
long long nondet_longlong(void);

int main(void) {
    long long x = nondet_longlong();
    __CPROVER_assume(x);
    __CPROVER_assume(x >= 0 && x <= 0x100000000);
    assert(x != 0x100000000);
    return 0;
}
