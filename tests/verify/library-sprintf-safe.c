// verdict: holds
// What a format makes changes the buffer and nothing else.
#include <assert.h>
#include <stdio.h>
int nondet_int(void);
int main(void) {
    int kept = 5;
    char text[16];
    sprintf(text, "%d", nondet_int());
    assert(kept == 5);
    return 0;
}
