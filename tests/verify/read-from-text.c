// verdict: holds
// without random runs: unknown(replay mismatch)
// What is read from a text that the program has is not arbitrary: in the model it is, in the machine and its only run it is not.
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 0;
    sscanf("5", "%d", &x);
    assert(x == 0 || x == 5);
    return 0;
}
