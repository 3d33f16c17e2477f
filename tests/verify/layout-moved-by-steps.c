// verdict: unknown(replay mismatch)
// Several small moves get as far as a large one: nothing holds. The machine does not find the place where the variable must lie.
#include <assert.h>
int x;
int main(void) {
    unsigned long at = (unsigned long)&x;
    at -= 0xfff0;
    at -= 0xfff0;
    at -= 0xfff0;
    assert(at);
    return 0;
}
