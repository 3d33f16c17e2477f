// verdict: holds
// args: --checks pointer,uninitialised
#include <assert.h>
static int second(const int *p) { return p[1]; }
int main(void) {
    int n = 0;
    for (int i = 0; i < 2; i++) {
        n += 2 + second((int[]){3, 4});
    }
    int *p = (int[]){n, 12};
    assert(p[0] == p[1]);
    return 0;
}
