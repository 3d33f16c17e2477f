// verdict: violated
// No number at all: the end is the start of the text, not the place after the sign.
#include <assert.h>
#include <stdlib.h>
char nondet_char(void);
int main(void) {
    char text[3] = {'-', nondet_char(), 0}, *end;
    strtol(text, &end, 10);
    assert(end != text);
    return 0;
}
