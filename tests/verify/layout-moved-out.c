// verdict: unknown(replay mismatch)
// Where a variable lies is arbitrary: 0x1000 is one of the places, though not one that the machine tries.
#include <assert.h>
int x;
int main(void) {
    assert((unsigned long)&x - 0x1000 != 0);
    return 0;
}
