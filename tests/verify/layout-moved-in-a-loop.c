// args: --32
// verdict: unknown
// Moves in a loop get anywhere: what is left of an address is not a number that the layout of the model says.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int x;
int main(void) {
    unsigned at = (unsigned)&x;
    while (__VERIFIER_nondet_int())
        at -= 0xfff0;
    assert(at != 0x5678);
    return 0;
}
