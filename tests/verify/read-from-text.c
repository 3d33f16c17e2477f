// verdict: unknown(replay mismatch)
// What is read from a text that the program has is not arbitrary: the model takes it for that, and the machine does not.
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 0;
    sscanf("5", "%d", &x);
    assert(x == 0 || x == 5);
    return 0;
}
