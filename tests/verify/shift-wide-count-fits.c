// verdict: holds
// args: --checks shift
extern int __VERIFIER_nondet_int(void);
int main(void) {
    long long n = __VERIFIER_nondet_int() & 31;
    return 1u << n;
}
