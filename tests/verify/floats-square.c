// verdict: holds
// A square is not negative, if it is a number.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    assert(x * x >= 0 || x != x);
    return 0;
}
