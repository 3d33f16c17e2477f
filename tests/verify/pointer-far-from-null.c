// verdict: violated
// without random runs: violated
// args: --checks pointer
// Null and a large index: not the first page, and no object.
extern int __VERIFIER_nondet_int(void);
static int target[4];

int main(void) {
    int wrong = __VERIFIER_nondet_int();
    int *p = wrong ? 0 : target;
    p += wrong ? 5000 : 0;
    *p = 1;
    return 0;
}
