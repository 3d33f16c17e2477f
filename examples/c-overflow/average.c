// verdict: violated
// args: --checks overflow
// The sum of two positive numbers need not be positive.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int average(int a, int b) {
    return (a + b) / 2;
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a > 0 && b > 0) {
        assert(average(a, b) > 0);
    }
    return 0;
}
