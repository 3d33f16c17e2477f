// verdict: unknown(allocation on the stack in a loop)
// args: --hunt 0
// Each iteration gets memory of its own: it is not one object.
#include <assert.h>
int main(void) {
    char *p[2];
    for (int i = 0; i < 2; i++) {
        p[i] = __builtin_alloca(4);
        p[i][0] = i;
    }
    assert(p[0][0] != 0);
    return 0;
}
