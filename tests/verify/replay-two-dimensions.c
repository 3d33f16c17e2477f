// verdict: violated
// without random runs: violated
// Elements of an array of arrays.
#include <assert.h>

int main(void) {
    int m[3][4];
    assert(m[1][2] != 7 || m[2][0] != 8);
    return 0;
}
