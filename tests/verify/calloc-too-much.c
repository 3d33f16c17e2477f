// verdict: violated
// property: main.assert.1 violated
// args: --hunt 0
// The number of bytes does not fit: the result is null, though memory never runs out.
#include <assert.h>
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n <= (unsigned long)-1 / 8)
        return 0;
    long *p = calloc(n, sizeof *p);
    assert(p);
    return 0;
}
