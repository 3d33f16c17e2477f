// verdict: holds
// Every int is a double.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = __VERIFIER_nondet_int();
    double d = i;
    assert((int)d == i);
    if (d < 10.5)
        assert(i <= 10);
    return 0;
}
