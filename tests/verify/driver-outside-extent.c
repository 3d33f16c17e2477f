// verdict: unknown
// args: --undefined-functions pure --checks bounds
// How large an object from outside is, nobody knows.
struct device { int state[4]; };
extern struct device *find_device(int number);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct device *d = find_device(1);
    int i = __VERIFIER_nondet_int();
    if (d && i >= 0 && i < 4) d->state[i] = 1;
    return 0;
}
