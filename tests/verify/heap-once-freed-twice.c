// verdict: violated
// without random runs: violated
// args: --checks free
// property: main.free.2 violated
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = malloc(4), *q = malloc(4);
    if (__VERIFIER_nondet_int())
        free(p);
    int *last = q;
    if (__VERIFIER_nondet_int())
        last = p;
    free(last);
    return 0;
}
