// verdict: violated
// The order of equal elements is open.
#include <assert.h>
#include <stdlib.h>

struct pair {
    short key, value;
};

static int order(const void *a, const void *b) {
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

int main(void) {
    struct pair all[2] = {{1, 1}, {1, 2}};
    qsort(all, 2, sizeof(struct pair), order);
    assert(all[0].value == 1);
    return 0;
}
