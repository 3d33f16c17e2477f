// verdict: holds
// The product of a number and zero, and of infinity and zero.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x > -1e10f && x < 1e10f)
        assert(x * 0 == 0);
    return 0;
}
