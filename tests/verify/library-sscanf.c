// verdict: violated
// without random runs: unknown(replay mismatch)
// One digit may be a 7.
#include <assert.h>
#include <stdio.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[2] = {__VERIFIER_nondet_char(), 0};
    int n = 3;
    sscanf(text, "%d", &n);
    assert(n != 7);
    return 0;
}
