// verdict: unknown(atexit, which is not modelled)
// The variables of main end before what was registered runs.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *kept;

static void at_end(void) {
    assert(*kept != 1234567);
}

int main(void) {
    int own = 1;
    if (__VERIFIER_nondet_int() == 7654321)
        own = 2;
    kept = &own;
    atexit(at_end);
    return 0;
}
