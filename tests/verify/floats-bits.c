// verdict: holds
// The bits of a number, through a union: the sign, and the exponent of what is not a number.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
union bits { float f; unsigned u; };
int main(void) {
    union bits b, c;
    b.f = __VERIFIER_nondet_float();
    c.f = b.f + 1;
    if (c.f != c.f)
        assert((c.u & 0x7fc00000) == 0x7fc00000);
    b.u &= 0x7fffffff;
    assert(b.f >= 0 || b.f != b.f);
    return 0;
}
