// verdict: unknown
// String literals may share memory.
#include <assert.h>
int main(void) {
    const char *p = "xab", *q = "ab";
    assert(p + 1 != q);
    return 0;
}
