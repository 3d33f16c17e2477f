// verdict: violated
// The copy is cut, and the length is that of the whole.
#include <assert.h>
unsigned long strlcpy(char *, const char *, unsigned long);
int main(void) {
    char to[2] = {7, 7};
    unsigned long n = strlcpy(to, "ab", sizeof to);
    assert(!(n == 2 && to[0] == 'a' && to[1] == 0));
    return 0;
}
