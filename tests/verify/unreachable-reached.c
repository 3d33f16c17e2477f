// verdict: unknown(control gets where the program says it never does)
// args: --hunt 0
// Nobody knows what happens behind what is never reached.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int x;
static void never(void) __attribute__((noreturn));
static void never(void) {
    if (x < 0)
        __builtin_unreachable();
}
int main(void) {
    x = __VERIFIER_nondet_int();
    if (x > 5)
        never();
    assert(x <= 5);
    return 0;
}
