// verdict: holds
// args: --checks overflow
// The first loop of the thesis: after it, i is exactly 10.
#include <assert.h>

int main(void) {
    int i = 0;
    while (i < 10) {
        i++;
    }
    assert(i == 10);
    return 0;
}
