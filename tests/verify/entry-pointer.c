// verdict: holds
// args: --entry start
// It may point to anything that code elsewhere knows, and nobody there knows `x`.
#include <assert.h>
static int x = 3;
int start(int *p) {
    assert(p == 0 || p != 0);
    if (p) {
        *p = 4;
        assert(x == 3);
    }
    return x;
}
