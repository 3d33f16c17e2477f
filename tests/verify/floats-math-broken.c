// verdict: violated
// A number without a fraction is its own floor.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
double floor(double);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > 0 && x < 10)
        assert(floor(x) < x);
    return 0;
}
