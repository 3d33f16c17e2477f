// verdict: holds
// Tags in the low bits of an address: what is left without them is an address, and not null.
#include <assert.h>
long x;
int main(void) {
    unsigned long tagged = (unsigned long)&x | 1;
    assert((tagged & ~7ul) != 0);
    assert((tagged & 1) == 1);
    return 0;
}
