// verdict: unknown(call back)
// args: --undefined-functions havoc
// A function that gets the address of another one may call it.
#include <assert.h>
void f(void (*)(void));
static int x = 3;
static void set(void) { x = 4; }
int main(void) {
    f(set);
    assert(x == 3);
    return 0;
}
