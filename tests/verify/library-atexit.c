// verdict: violated
// A run that calls exit gets to what was registered, too.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int closed;

static void at_end(void) {
    assert(closed);
}

static void leave(void) {
    exit(1);
}

int main(void) {
    atexit(at_end);
    if (__VERIFIER_nondet_int() == 7)
        leave();
    closed = 1;
    return 0;
}
