// verdict: unknown(an access through a pointer that the function to start with gets)
// args: --entry start
// It may point to anything, also to the program's own variables.
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
