// verdict: holds
// args: --checks overflow
// Left shifts of unsigned integers do not overflow, and neither does what is shifted by too much: that is another fault.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned u = __VERIFIER_nondet_int();
    int by = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    u = u << (1 << 3);
    u <<= by & 31;
    if (x >= 0 && x < 256)
        x = x << 23;
    unsigned char c = u;
    return (c << 4) + (x > 0);
}
