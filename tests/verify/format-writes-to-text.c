// verdict: unknown(a format with %n)
// A format that writes, in a function that prints to memory.
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 0;
    char b[8];
    snprintf(b, 8, "ab%n", &x);
    assert(x == 0);
    return 0;
}
