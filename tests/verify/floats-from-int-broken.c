// verdict: violated
// Not every int is a float.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = __VERIFIER_nondet_int();
    float f = i;
    if (i > 0 && i < 100000000)
        assert((int)f == i);
    return 0;
}
