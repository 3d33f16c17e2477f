// verdict: violated
// The order is the other one.
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static int order(const void *a, const void *b) {
    int left = *(const int *)a, right = *(const int *)b;
    return left > right ? -1 : left < right;
}

int main(void) {
    int all[2];
    all[0] = __VERIFIER_nondet_uchar();
    all[1] = 7;
    qsort(all, 2, sizeof(int), order);
    assert(all[0] <= all[1]);
    return 0;
}
