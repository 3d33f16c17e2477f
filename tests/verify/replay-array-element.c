// verdict: violated
// without random runs: violated
// An element of an array that nobody wrote: the machine gets the value that the model found.
#include <assert.h>

int main(void) {
    int a[4];
    assert(a[2] != 12345);
    return 0;
}
