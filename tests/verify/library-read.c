// verdict: violated
// A file may be at its end.
#include <assert.h>
long read(int, void *, unsigned long);
int main(void) {
    char bytes[2] = {1, 2};
    long n = read(0, bytes, 2);
    assert(n != 0);
    return 0;
}
