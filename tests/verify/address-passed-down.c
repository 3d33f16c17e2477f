// verdict: holds
// property: main.assert.2 holds
// The callee writes a local variable of its caller.
#include <assert.h>
static void set(int *to, int value) { *to = value; }
int main(void) {
    int x = 1, y = 2;
    set(&x, 5);
    assert(x == 5);
    assert(y == 2);
    return 0;
}
