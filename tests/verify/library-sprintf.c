// verdict: violated
// without random runs: unknown(replay mismatch)
// What a format makes is a text of any length.
#include <assert.h>
#include <stdio.h>
int nondet_int(void);
int main(void) {
    char text[16];
    assert(sprintf(text, "%d", nondet_int()) == 1);
    return 0;
}
