// verdict: holds
// args: --checks null
// A list on the heap, built and walked.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node) {
            break;
        }
        node->value = 1;
        node->next = head;
        head = node;
    }
    for (struct node *node = head; node; node = node->next) {
        assert(node->value == 1);
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
