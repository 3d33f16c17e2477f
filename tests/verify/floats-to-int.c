// verdict: holds
// Conversions to integers leave out the fraction.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > -100 && x < 100) {
        int i = x;
        assert(i > -100 && i < 100);
    }
    return 0;
}
