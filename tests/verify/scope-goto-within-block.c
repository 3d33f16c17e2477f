// verdict: holds
// args: --checks pointer,uninitialised
// A label within the block: it is the same x, which stays as it is until its declaration is reached.
#include <assert.h>
int main(void) {
    int i = 0;
    {
        int x = 7;
    again:
        assert(x == 7);
        if (i++ == 0)
            goto again;
    }
    return 0;
}
