// verdict: violated
// The second time, a jump passes over the declaration: the block has another x all the same.
#include <assert.h>
int main(void) {
    int i = 0;
again:
    if (i == 1)
        goto inside;
    {
        int x;
        x = 7;
    inside:
        assert(x == 7);
    }
    if (i++ == 0)
        goto again;
    return 0;
}
