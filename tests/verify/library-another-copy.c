// args: --undefined-functions pure
// verdict: unknown(strcpy of another type, which is not modelled)
// The library's function with careless types, or another one? The library's writes.
#include <assert.h>
void strcpy(char *to, const char *from, int most);
int main(void) {
    char text[4] = "a";
    strcpy(text, "b", 1);
    assert(text[0] == 'a');
    return 0;
}
