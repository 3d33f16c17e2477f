// verdict: violated
// args: --stop-at-first
// property: main.assert.1 violated
// property: main.assert.2 unknown
// Both assertions can fail; one violation is enough.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x == 0);
    assert(x != 0);
    return 0;
}
