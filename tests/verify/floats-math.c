// verdict: holds
// Functions of the library: a rounding and the absolute value.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
float fabsf(float);
float floorf(float);
int __isnanf(float);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (__isnanf(x))
        return 0;
    assert(fabsf(x) >= 0);
    if (x > 0 && x < 1000)
        assert(floorf(x) <= x);
    return 0;
}
