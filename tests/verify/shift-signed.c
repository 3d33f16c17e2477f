// verdict: violated
// property: one.overflow.1 holds
// property: negative.overflow.1 violated
// property: sign.overflow.1 violated
// property: folded.overflow.1 violated
// args: --checks overflow --hunt 0
// A left shift of a signed integer overflows if the exact result does not fit; a negative number must not be shifted at all.
extern int __VERIFIER_nondet_int(void);
static int one(int by) {
    return by >= 0 && by <= 30 ? 1 << by : 0;
}
static int negative(int x) {
    return x < 0 ? x << 1 : 0;
}
static long long sign(long long x) {
    x <<= 60;
    return x;
}
static int folded(void) {
    return 1 << 31;
}
int main(void) {
    switch (__VERIFIER_nondet_int()) {
    case 0: return one(__VERIFIER_nondet_int());
    case 1: return negative(__VERIFIER_nondet_int());
    case 2: return sign(__VERIFIER_nondet_int() & 15) != 0;
    default: return folded();
    }
}
