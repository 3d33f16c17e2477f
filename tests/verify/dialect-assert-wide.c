// verdict: violated
// args: --64
// An assertion on a value of 64 bits, without a prototype.
unsigned long nondet_ulong(void);

int main(void) {
    unsigned long x = nondet_ulong();
    __CPROVER_assume(x < 2);
    __CPROVER_assert(x << 40, "zero is possible");
    return 0;
}
