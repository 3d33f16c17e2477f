// verdict: unknown
// What was freed may be handed out again.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(4), *q = p;
    free(p);
    p = malloc(4);
    assert(p != q);
    return 0;
}
