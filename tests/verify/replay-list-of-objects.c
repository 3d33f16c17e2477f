// verdict: violated
// without random runs: violated
// Two objects from one call of malloc.
#include <assert.h>
#include <stdlib.h>
struct n { int v; struct n *next; };

struct n *mk(struct n *next) {
    struct n *x = malloc(sizeof *x);
    x->next = next;
    return x;
}

int main(void) {
    struct n *l = mk(mk(0));
    assert(l->v != 1 || l->next->v != 2);
    return 0;
}
