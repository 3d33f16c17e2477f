// verdict: violated
// without random runs: violated
// args: --checks unreachable
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 4711)
        __builtin_unreachable();
    return 0;
}
