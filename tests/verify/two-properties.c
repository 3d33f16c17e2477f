// verdict: violated
// property: main.assert.1 holds
// property: main.assert.2 violated
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x > 100 ? 100 : x;
    assert(y <= 100);
    assert(y != 77);
    return 0;
}
