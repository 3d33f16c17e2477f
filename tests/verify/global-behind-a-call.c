// verdict: violated
// The local variable equals the global one until the callee changes it.
#include <assert.h>
int g;
static void bump(void) { g = g + 1; }
int main(void) {
    int x = g;
    assert(x == g);
    bump();
    assert(x == g);
    return 0;
}
