// verdict: violated
// A text of separators has no piece.
#include <assert.h>
#include <string.h>
char nondet_char(void);
int main(void) {
    char text[3] = {nondet_char(), ',', 0};
    assert(strtok(text, ",") != 0);
    return 0;
}
