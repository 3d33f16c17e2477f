// verdict: violated
// property: main.assert.1 holds
// property: main.assert.2 violated
// args: --hunt 0
// How many zeros the number zero starts with is not defined.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x == 1)
        assert(__builtin_clz(x) == 31 && __builtin_ctz(x) == 0);
    if (x == 0)
        assert(__builtin_clz(x) == 32);
    return 0;
}
