// verdict: violated
// There may be such a text.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    const char *text = getenv("LEVEL");
    assert(text == 0 || text[0] != 'x');
    return 0;
}
