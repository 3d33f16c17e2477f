// verdict: holds
// What was registered last runs first, and after the end of main.
#include <assert.h>
#include <stdlib.h>
static int done;

static void first(void) {
    assert(done == 2);
}

static void last(void) {
    assert(done == 1);
    done = 2;
}

int main(void) {
    atexit(first);
    atexit(last);
    done = 1;
    return 0;
}
