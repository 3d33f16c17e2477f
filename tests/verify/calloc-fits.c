// verdict: holds
// args: --checks null
// Of small numbers the product fits.
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 3)
        return 0;
    int *p = calloc(n, sizeof *p);
    assert(p[0] == 0);
    free(p);
    return 0;
}
