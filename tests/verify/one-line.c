// verdict: violated
// args: --checks division
// property: main.assert.1 holds
// property: main.assert.2 violated
// property: main.assert.3 holds
// property: main.assert.4 violated
// property: main.division.1 holds
// property: main.division.2 violated
// A run that ends in a line violates one of its properties, not all.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define both(x, y) assert(x); assert(y)
int main(void) {
    int i = 1, j = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    assert(i == 1); assert(k != 0);
    both(i == 1, k != 1);
    return 5 / i + 5 / j;
}
