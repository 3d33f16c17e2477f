// verdict: violated
// without random runs: violated
// args: --checks pointer
// The object that one of two pointers points to has ended.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int in = __VERIFIER_nondet_int();
    int *p = malloc(4), *q = malloc(4);
    *p = *q = 1;
    free(in > 3 ? p : q);
    return *(in > 4 ? q : p);
}
