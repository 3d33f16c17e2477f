// verdict: violated
// without random runs: violated
// args: --checks leak
// An allocation in a loop may make several objects: freeing the last one is not enough.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = 0, n = __VERIFIER_nondet_int();
    for (int i = 0; i < n && i < 2; i++)
        p = malloc(4);
    free(p);
    return 0;
}
