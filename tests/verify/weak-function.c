// verdict: unknown(the address of opt)
// Where nobody defines it, its address is null.
#include <assert.h>
extern int opt(void) __attribute__((weak));
int main(void) {
    if (opt)
        return 0;
    assert(0);
    return 0;
}
