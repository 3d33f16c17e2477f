// verdict: violated
// without random runs: violated
// The same with an index that is an input.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[4];
    unsigned i = __VERIFIER_nondet_int();
    if (i < 4) assert(a[i] != 12345);
    return 0;
}
