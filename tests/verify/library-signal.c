// verdict: violated
// It may have been ignored before.
#include <assert.h>
#include <signal.h>

int main(void) {
    assert(signal(SIGPIPE, SIG_IGN) != SIG_IGN);
    return 0;
}
