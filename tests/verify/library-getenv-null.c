// verdict: violated
// args: --checks null
// There need not be one.
#include <stdlib.h>

int main(void) {
    const char *text = getenv("LEVEL");
    return text[0] == 'x';
}
