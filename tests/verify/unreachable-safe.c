// verdict: holds
// args: --checks unreachable
extern int __VERIFIER_nondet_int(void);

static int sign(int x) {
    if (x < 0)
        return -1;
    if (x >= 0)
        return 1;
    __builtin_unreachable();
}

int main(void) {
    int x = sign(__VERIFIER_nondet_int());
    switch (x) {
    case -1:
    case 1:
        return 0;
    default:
        __builtin_unreachable();
    }
}
