// verdict: violated
// args: --hunt 0
// A barrier for the compiler does nothing, in the machine as well.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __asm__ volatile("" ::: "memory");
    assert(x != 12345);
    return 0;
}
