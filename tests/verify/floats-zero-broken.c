// verdict: violated
// Minus zero is zero, too.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x == 0)
        assert(1 / x > 0);
    return 0;
}
