// verdict: violated
// A jump back over a declaration: the variable is indeterminate again.
#include <assert.h>
int main(void) {
    int i = 0;
again:;
    int x;
    if (i == 0)
        x = 7;
    assert(x == 7);
    if (i++ == 0)
        goto again;
    return 0;
}
