// verdict: violated
// The remainder has the sign of the first number.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    ldiv_t by_four = ldiv(__VERIFIER_nondet_int(), 4);
    assert(by_four.rem >= 0);
    return 0;
}
