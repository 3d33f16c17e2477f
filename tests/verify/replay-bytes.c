// verdict: violated
// without random runs: violated
// Four bytes in the middle of an array.
#include <assert.h>
#include <string.h>

int main(void) {
    char b[8];
    int x;
    memcpy(&x, b + 2, 4);
    assert(x != 0x01020304);
    return 0;
}
