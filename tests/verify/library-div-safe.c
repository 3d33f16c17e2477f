// verdict: holds
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int n = __VERIFIER_nondet_uchar();
    div_t by_four = div(n, 4);
    assert(by_four.quot < 64 && by_four.rem >= 0 && by_four.rem < 4);
    return 0;
}
