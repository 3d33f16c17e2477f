// verdict: holds
// Who aborts does not.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int closed;

static void at_end(void) {
    assert(closed);
}

int main(void) {
    atexit(at_end);
    if (__VERIFIER_nondet_int() == 7)
        abort();
    closed = 1;
    exit(0);
}
