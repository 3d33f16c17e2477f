// verdict: violated
// without random runs: unknown(iteration)
// args: --checks overflow --max-iterations 1
// The second element may be compared with the first, too.
#include <limits.h>
#include <stdlib.h>

static int order(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int all[2];
    all[0] = INT_MIN;
    all[1] = 0;
    qsort(all, 2, sizeof(int), order);
    return 0;
}
