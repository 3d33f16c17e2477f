// verdict: violated
// without random runs: violated
// args: --checks pointer
// The same for a block of memory, where bounds are not asked for: an access outside of all objects counts.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static int target[4];

int main(void) {
    int *p = __VERIFIER_nondet_int() ? (int *)123456789 : target;
    memset(p, 0, 4);
    return 0;
}
