// verdict: holds
// A text, if there is one, is apart from the program's objects.
#include <assert.h>
#include <stdlib.h>
static char level = 3;

int main(void) {
    const char *text = getenv("LEVEL");
    char *own = &level;
    *own = 2;
    if (text != 0 && text[0] == '5')
        *own = 5;
    assert(level == 2 || level == 5);
    return 0;
}
