// verdict: violated
// The square of what is not a number is not at least zero.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    assert(x * x >= 0);
    return 0;
}
