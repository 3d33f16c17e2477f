// verdict: violated
// The sign bit makes a number negative, or minus zero.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
union bits { float f; unsigned u; };
int main(void) {
    union bits b;
    b.f = __VERIFIER_nondet_float();
    b.u |= 0x80000000;
    assert(b.f >= 0 || b.f != b.f);
    return 0;
}
