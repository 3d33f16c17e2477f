// verdict: violated
// without random runs: violated
// An array begins again in each round.
#include <assert.h>

int main(void) {
    for (int i = 0; i < 2; i++) {
        int a[3];
        int *p = a;
        if (i == 1) assert(p[i] != 777);
        p[i] = 5;
    }
    return 0;
}
