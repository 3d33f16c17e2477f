// verdict: violated
// What does not fit an integer becomes any integer.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > 1e10) {
        int i = x;
        assert(i > 0);
    }
    return 0;
}
