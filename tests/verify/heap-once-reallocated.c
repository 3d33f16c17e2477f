// verdict: holds
// without random runs: holds
// args: --checks pointer,bounds,free,leak
// Allocated, reallocated, used, freed: each of it once, so each object has its own address.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static unsigned sum;

int main(void) {
    int in = __VERIFIER_nondet_int();
    int *p = calloc(2, 4);
    p = realloc(p, 16);
    p[3] = 1;
    sum = p[1];
    free(p);
    return in;
}
