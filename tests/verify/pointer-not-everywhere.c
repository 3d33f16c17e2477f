// verdict: violated
// without random runs: unknown(not looked for everywhere)
// args: --checks pointer
// What the check that was asked for cannot see leaves nothing proven; what a run meets counts all the same.
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
static struct node *head;

int main(void) {
    struct node *n = malloc(sizeof *n);
    n->next = 0;
    n->value = 1;
    head = n;
    struct node *old = head;
    head = n->next;
    free(n);
    if (old)
        old->value = 1;
    return 0;
}
