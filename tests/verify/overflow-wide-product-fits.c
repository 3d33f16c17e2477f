// verdict: holds
// args: --checks overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
    __int128 x = __VERIFIER_nondet_int();
    x = x * ((__int128)1 << 90);
    return x > 0;
}
