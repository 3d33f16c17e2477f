// verdict: violated
// property: main.assert.1 holds
// property: main.assert.2 violated
// Only the sign of a comparison is promised.
#include <assert.h>
#include <string.h>
int main(void) {
    int order = memcmp("b", "a", 1);
    assert(order > 0);
    assert(order == 1);
    return 0;
}
