// verdict: unknown(replay mismatch)
// One digit is less than 10, which the model does not know.
#include <assert.h>
#include <stdio.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[2] = {__VERIFIER_nondet_char(), 0};
    int n = 3;
    sscanf(text, "%d", &n);
    assert(n < 10);
    return 0;
}
