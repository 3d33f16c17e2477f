// verdict: holds
// args: --checks uninitialised
// What is set on every way to its use is initialised: by a callee that says so, in a loop, member by member.
extern int __VERIFIER_nondet_int(void);
struct point {
    int x, y;
};
static int pick(int n, int *out) {
    if (n > 3) {
        *out = n;
        return 1;
    }
    return 0;
}
int main(void) {
    int n = __VERIFIER_nondet_int(), value, last;
    struct point p, q;
    p.x = n;
    q = p;
    if (q.x > 5)
        n = 5;
    for (int i = 0; i < 4; i++)
        last = n;
    if (last > 4)
        n = 4;
    if (pick(n, &value) && value < 0)
        return 1;
    return 0;
}
