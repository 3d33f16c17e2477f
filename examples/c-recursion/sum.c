// verdict: holds
// The sum of the first n numbers, by recursion.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned sum(unsigned n) {
    if (n == 0) {
        return 0;
    }
    return n + sum(n - 1);
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n <= 4) {
        assert(sum(n) <= 10);
    }
    return 0;
}
