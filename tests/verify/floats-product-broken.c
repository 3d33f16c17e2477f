// verdict: violated
// Infinity times zero is not a number.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x == x)
        assert(x * 0 == 0);
    return 0;
}
