// verdict: unknown(replay mismatch)
// One name has one text in the machine; to the model it may have several.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(getenv("LEVEL") == getenv("LEVEL"));
    return 0;
}
