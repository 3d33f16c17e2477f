// verdict: unknown
// One object may begin where another one ends.
#include <assert.h>
int a[2], b[2];
int main(void) {
    assert(a + 2 != b);
    return 0;
}
