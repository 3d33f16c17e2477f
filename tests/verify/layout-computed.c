// verdict: unknown
// An address that is computed from numbers is not modelled.
#include <assert.h>
int a;
int main(void) {
    unsigned long tagged = (unsigned long)&a | 1;
    int *p = (int *)(tagged & ~1ul);
    *p = 3;
    assert(a == 3);
    return 0;
}
