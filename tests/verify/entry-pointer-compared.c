// verdict: violated
// args: --entry start --hunt 0
// Comparing a pointer is fine.
#include <assert.h>
int start(int *p, int *q) {
    assert(p == q);
    return 0;
}
