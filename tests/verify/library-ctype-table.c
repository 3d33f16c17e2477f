// verdict: violated
// Digits are not letters.
#include <assert.h>
#include <ctype.h>
int nondet_int(void);
int main(void) {
    int c = nondet_int();
    if (c >= '8' && c <= 'A')
        assert(isalnum(c));
    return 0;
}
