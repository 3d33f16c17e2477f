// verdict: violated
// args: --checks pointer
// A use after free through a pointer that may, for all that is known of memory, be uninitialised.
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
