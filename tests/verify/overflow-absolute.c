// verdict: violated
// property: main.overflow.1 violated
// property: small.overflow.1 holds
// args: --checks overflow
// The least integer has no absolute value.
extern int __VERIFIER_nondet_int(void);
static int small(int x) {
    return x < -5 ? 0 : __builtin_abs(x);
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    return small(x) + (__builtin_abs(x) > 3);
}
