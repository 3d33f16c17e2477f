// verdict: unknown(not looked for)
// args: --checks pointer --hunt 0
// Without random runs: an address of an earlier round is not told from one of this round.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = 0, n = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (i == 0)
            p = &x;
        else
            n += *p;
    }
    return n;
}
