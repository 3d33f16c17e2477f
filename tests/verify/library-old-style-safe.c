// verdict: holds
// args: -- -std=gnu89
// An old declaration says nothing of the parameters: the calls have those of the library's functions.
#include <assert.h>
extern int abs();
extern int strcmp();
extern void *malloc();
int main(void) {
    char *text = malloc(2ul);
    text[0] = 'a';
    text[1] = 0;
    assert(abs(-4) == 4);
    assert(strcmp(text, "a") == 0);
    return 0;
}
