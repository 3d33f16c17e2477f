// verdict: violated
// args: --checks pointer
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int y = 0, *p = &y;
    if (__VERIFIER_nondet_int() == 12345) {
        int x = 3;
        p = &x;
        y = *p;
    }
    return *p;
}
