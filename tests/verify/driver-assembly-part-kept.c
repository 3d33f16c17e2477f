// verdict: holds
// args: --64
// `sete` writes one byte of a register, and the others keep what was put there before.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int count;

int main(void) {
    int start = __VERIFIER_nondet_int();
    int zero = start;
    count = 1;
    __asm__("lock; decl %0; sete %b1" : "+m"(count), "+q"(zero));
    assert((zero & 255) == 1 && (zero & ~255) == (start & ~255));
    return 0;
}
