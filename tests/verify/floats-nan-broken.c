// verdict: violated
// The negation of a comparison is not the opposite one.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x < 1))
        assert(x >= 1);
    return 0;
}
