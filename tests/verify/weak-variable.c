// verdict: unknown(the address of w)
// Where nobody defines it, its address is null.
#include <assert.h>
extern int w __attribute__((weak));
int main(void) {
    assert(&w != 0);
    return 0;
}
