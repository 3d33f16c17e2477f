// args: --32
// verdict: violated
// The same with a number that has no room for more bits than it needs.
#include <assert.h>
float large = 8388608.0f;
int main(void) {
    float one = 1.0f;
    assert(large + one == large);
    return 0;
}
