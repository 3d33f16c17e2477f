// args: --32 -- -mno-sse
// verdict: unknown(x87)
// An x87 unit may keep more bits than the type has.
#include <assert.h>
float large = 16777216.0f;
int main(void) {
    float one = 1.0f;
    assert(large + one == large);
    return 0;
}
