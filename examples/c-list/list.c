// verdict: holds
// args: --checks null
// A list on the heap, built and walked: nobody follows a null pointer, and the count is right.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *head = 0;
    int empty = 1;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node) {
            break;
        }
        node->value = 1;
        node->next = head;
        head = node;
        empty = 0;
        assert(head->value == 1);
    }
    if (empty) {
        assert(head == 0);
    } else {
        assert(head->value == 1);
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
