// verdict: holds
// args: --checks pointer
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int y = 0, *p = &y;
    if (__VERIFIER_nondet_int()) {
        int x = 3;
        p = &x;
        y = *p;
        p = &y;
    }
    return *p;
}
