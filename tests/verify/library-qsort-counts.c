// verdict: unknown(qsort with a comparison that may do more than compare)
// How often elements are compared is open.
#include <assert.h>
#include <stdlib.h>
static int compared;

static int order(const void *a, const void *b) {
    compared++;
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int all[3] = {1, 2, 3};
    qsort(all, 3, sizeof(int), order);
    assert(compared == 2);
    return 0;
}
