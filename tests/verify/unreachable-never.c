// verdict: holds
// args: --hunt 0
// What is said never to be reached is not, and what is said not to return does not.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void stop(int code) __attribute__((noreturn));
static void stop(int code) {
    exit(code);
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 5)
        stop(1);
    switch (x > 3) {
    case 0: return 0;
    case 1: __builtin_assume(x >= 4); break;
    default: __builtin_unreachable();
    }
    assert(x == 4 || x == 5);
    return 0;
}
