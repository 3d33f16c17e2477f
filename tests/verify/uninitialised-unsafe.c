// verdict: violated
// args: --checks uninitialised
// The caller believes that it got a value where the callee did not set any.
extern int __VERIFIER_nondet_int(void);
static int pick(int n, int *out) {
    if (n > 3)
        *out = n;
    return n > 2;
}
int main(void) {
    int n = __VERIFIER_nondet_int(), value;
    if (n > 5)
        n = 5;
    if (pick(n, &value) && value < 0)
        return 1;
    return 0;
}
