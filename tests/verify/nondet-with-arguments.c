// verdict: unknown(more than an input)
// Nobody knows what an input function does with an argument.
#include <assert.h>
extern void __VERIFIER_nondet_pair(int *);
int main(void) {
    int x = 0;
    __VERIFIER_nondet_pair(&x);
    assert(x == 0);
    return 0;
}
