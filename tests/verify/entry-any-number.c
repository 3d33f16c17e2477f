// verdict: violated
// property: start.assert.1 violated
// property: start.assert.2 violated
// property: start.assert.3 holds
// args: --entry start --hunt 0
// A function that is not main gets arbitrary values.
#include <assert.h>
int start(int x, _Bool b, unsigned char c) {
    assert(x >= 0);
    assert(!b || c != 200);
    assert(b == 0 || b == 1);
    return 0;
}
