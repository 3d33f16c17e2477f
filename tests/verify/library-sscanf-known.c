// verdict: holds
// without random runs: unknown(replay mismatch)
// The only run decides.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int x = 0, y = 0;
    char c = 0;
    assert(sscanf("12: 0x1f,a", "%d:%i,%c", &x, &y, &c) == 3);
    assert(x == 12 && y == 31 && c == 'a');
    return 0;
}
