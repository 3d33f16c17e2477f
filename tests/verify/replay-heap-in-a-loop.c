// verdict: violated
// without random runs: violated
// Memory that is allocated several times: the second object decides.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 2; i++) {
        int *p = malloc(16);
        if (i == 1) assert(p[3] != 777);
    }
    return 0;
}
