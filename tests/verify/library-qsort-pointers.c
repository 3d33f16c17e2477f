// verdict: violated
// Pointers are moved as such.
#include <assert.h>
#include <stdlib.h>
static int one = 1, two = 2;

static int order(const void *a, const void *b) {
    int left = **(int *const *)a, right = **(int *const *)b;
    return left < right ? -1 : left > right;
}

int main(void) {
    int *all[2];
    all[0] = &two;
    all[1] = &one;
    qsort(all, 2, sizeof(int *), order);
    assert(all[0] == &two);
    return 0;
}
