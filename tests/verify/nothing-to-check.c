// verdict: violated
// The only assertion is in a function that nobody calls but the library.
#include <assert.h>
#include <stdlib.h>
static void last(void) { assert(0); }
int main(void) {
    atexit(last);
    return 0;
}
