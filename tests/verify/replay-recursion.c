// verdict: violated
// without random runs: violated
// An array in the last of three activations.
#include <assert.h>

int f(int depth) {
    int a[2];
    if (depth == 0) {
        int *p = a;
        p += depth;
        assert(*p != 42);
        return 0;
    }
    return f(depth - 1);
}

int main(void) {
    return f(2);
}
