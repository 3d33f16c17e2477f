// verdict: unknown
// A function may lie anywhere.
#include <assert.h>
void f(void) {}
void g(void) {}
int main(void) {
    assert((long)f % 4096 != 0x123);
    return 0;
}
