// verdict: unknown(an assumption of the compiler that does not hold)
// args: --hunt 0
// Where it does not hold, C leaves everything open.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __builtin_assume(x > 0);
    assert(x > 0);
    return 0;
}
