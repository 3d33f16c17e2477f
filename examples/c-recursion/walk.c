// verdict: holds
// Recursion as deep as the input wants: the lock is free whenever a call begins or ends.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int locked;

static int visit(void) {
    assert(!locked);
    locked = 1;
    int more = __VERIFIER_nondet_int();
    locked = 0;
    if (!more) {
        return 0;
    }
    int left = visit();
    assert(!locked);
    return left;
}

int main(void) {
    int left = visit();
    assert(left == 0);
    return 0;
}
