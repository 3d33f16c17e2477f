// verdict: holds
// without random runs: holds
// args: --malloc-may-fail --checks null,pointer,leak,free
// An allocation that fails allocates nothing: there is nothing to free.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    if (!p)
        return 1;
    *p = 1;
    free(p);
    return 0;
}
