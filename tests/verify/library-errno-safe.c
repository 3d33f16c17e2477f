// verdict: holds
// A program that sets errno finds it there.
#include <assert.h>
#include <errno.h>

static int fail(int error) {
    errno = error;
    return -1;
}

int main(void) {
    errno = 0;
    assert(errno == 0);
    if (fail(EINVAL) < 0)
        assert(errno == EINVAL);
    return 0;
}
