// verdict: unknown(a function that handles a signal)
// The handler may run at any time.
#include <assert.h>
#include <signal.h>
static volatile int caught;

static void handle(int number) {
    caught = 1;
}

int main(void) {
    signal(SIGINT, handle);
    assert(!caught);
    return 0;
}
