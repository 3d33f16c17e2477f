// args: --32
// verdict: holds
// In 32 bits, too, numbers are rounded to their types: the program is compiled for a processor that does so.
#include <assert.h>
float large = 16777216.0f;
int main(void) {
    float one = 1.0f, sum = large + one;
    assert(sum == large);
    assert(large + one == large);
    return 0;
}
