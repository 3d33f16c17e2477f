// verdict: unknown(unsupported)
// args: --hunt 0
// Control never comes to the declaration, and clang does not tell of it.
#include <assert.h>
int main(void) {
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int x;
        case 0:
            x = 1;
            break;
        default:
            assert(x == 1);
        }
    }
    return 0;
}
