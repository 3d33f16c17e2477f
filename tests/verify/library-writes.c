// verdict: unknown(gettimeofday)
// args: --undefined-functions pure
// A function of POSIX that writes is not pure, whatever is said of functions that nobody knows.
#include <assert.h>
struct timeval { long tv_sec, tv_usec; };
int gettimeofday(struct timeval *, void *);
int main(void) {
    struct timeval now = {7, 7};
    gettimeofday(&now, 0);
    assert(now.tv_sec == 7);
    return 0;
}
