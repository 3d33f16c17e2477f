// verdict: unknown
// args: --64
// `sete` writes one byte of a register: nobody knows what the others hold, and such a template is not modelled.
#include <assert.h>

int count = 1;

int main(void) {
    int zero;
    __asm__("lock; decl %0; sete %b1" : "+m"(count), "=q"(zero));
    assert(zero == 1);
    return 0;
}
