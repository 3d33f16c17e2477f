// verdict: holds
// args: --undefined-functions pure
// A function that nobody knows is pure if that is said.
#include <assert.h>
int measure(int *);
int main(void) {
    int x = 7;
    measure(&x);
    assert(x == 7);
    return 0;
}
