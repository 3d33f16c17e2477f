// verdict: unknown(replay mismatch)
// args: --checks pointer
// A fault of bounds, which is not asked for; but the model cannot tell it from a pointer to nowhere.
extern int __VERIFIER_nondet_int(void);
static int target[4], other[4];

int main(void) {
    int i = __VERIFIER_nondet_int();
    int *p = i ? other : target;
    p[i] = 1;
    return 0;
}
