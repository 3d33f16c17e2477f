// verdict: violated
// Every separator ends a piece: before the first one there is an empty piece.
#include <assert.h>
char *strsep(char **, const char *);
int main(void) {
    char text[2] = {',', 0}, *rest = text;
    char *first = strsep(&rest, ",");
    assert(!(first == text && rest == text + 1));
    return 0;
}
