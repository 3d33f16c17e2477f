// verdict: violated
// args: --checks bounds
// The size is that of the buffer, and it was said wrong.
#include <assert.h>
unsigned long strlcpy(char *, const char *, unsigned long);
int main(void) {
    char to[1];
    strlcpy(to, "a", 2);
    return 0;
}
