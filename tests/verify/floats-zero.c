// verdict: holds
// One divided by either zero is infinite.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x == 0)
        assert(1 / x > 1e30f || 1 / x < -1e30f);
    return 0;
}
