// verdict: unknown(control gets where the program says it never does)
// clang drops what follows the call of a function that never returns, so there is no assertion any more; but the
// function does return.
#include <assert.h>

__attribute__((noreturn)) static void leave(int really) {
    if (really)
        for (;;) {
        }
}

int main(void) {
    leave(0);
    assert(0);
}
