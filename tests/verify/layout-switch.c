// verdict: unknown
// An object may lie at any number.
#include <assert.h>
int a;
int main(void) {
    switch ((long)&a) {
    case 0x123450:
        assert(0);
    }
    return 0;
}
