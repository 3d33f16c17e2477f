// verdict: holds
// args: --undefined-functions havoc
// What an undefined function does not get at stays.
#include <assert.h>
int f(void);
static int x = 3;
int main(void) {
    f();
    assert(x == 3);
    return 0;
}
