// verdict: holds
// A signal that is ignored: what was there before was no function.
#include <assert.h>
#include <signal.h>

int main(void) {
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    assert(before == SIG_ERR || before == SIG_DFL || before == SIG_IGN);
    if (before != SIG_ERR) {
        before = signal(SIGPIPE, SIG_DFL);
        assert(before == SIG_ERR || before == SIG_IGN);
    }
    return 0;
}
