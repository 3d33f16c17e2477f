// verdict: holds
// The fraction of a second is less than a second.
#include <assert.h>
struct timeval { long tv_sec, tv_usec; };
int gettimeofday(struct timeval *, void *);
int main(void) {
    struct timeval now = {7, 7};
    gettimeofday(&now, 0);
    assert(now.tv_usec >= 0 && now.tv_usec < 1000000);
    return 0;
}
