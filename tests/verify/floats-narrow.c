// verdict: holds
// Rounding to float keeps order.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x >= 0 && x <= 1) {
        float f = x;
        assert(f >= 0 && f <= 1);
    }
    return 0;
}
