// verdict: holds
// What is neither less nor not less is not a number.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x < 1) && !(x >= 1))
        assert(x != x);
    else
        assert(x == x);
    return 0;
}
