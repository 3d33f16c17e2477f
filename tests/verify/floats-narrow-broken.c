// verdict: violated
// Rounding to float changes most numbers.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x >= 0 && x <= 1) {
        float f = x;
        assert(f == x);
    }
    return 0;
}
