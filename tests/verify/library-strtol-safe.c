// verdict: holds
// A text without a number.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char text[2] = {'x', 0}, *end;
    long n = strtol(text, &end, 10);
    assert(n == 0 && end == text);
    return 0;
}
