// verdict: holds
// Sorting changes nothing but the elements.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int other = 5;

static int order(const void *a, const void *b) {
    int left = *(const int *)a, right = *(const int *)b;
    return left < right ? -1 : left > right;
}

int main(void) {
    int all[2];
    all[0] = __VERIFIER_nondet_int();
    all[1] = __VERIFIER_nondet_int();
    qsort(all, 2, sizeof(int), order);
    assert(other == 5);
    return 0;
}
