// verdict: holds
// args: --64
// An assertion on a value of 64 bits: the low half is zero, and the value is not.
unsigned long nondet_ulong(void);

int main(void) {
    unsigned long x = nondet_ulong();
    __CPROVER_assume(x > 0 && x < 4);
    __CPROVER_assert(x << 40, "not zero");
    return 0;
}
