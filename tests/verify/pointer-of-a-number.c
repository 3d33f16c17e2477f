// verdict: violated
// without random runs: unknown(an access to objects that are not known)
// args: --checks pointer
// An address that is a plain number: nothing is known to lie there.
extern int __VERIFIER_nondet_int(void);
static int target[4];

int main(void) {
    int *p = __VERIFIER_nondet_int() ? (int *)123456789 : target;
    *p = 1;
    return 0;
}
