// verdict: violated
// Time may go back.
#include <assert.h>
struct timespec { long tv_sec, tv_nsec; };
int clock_gettime(int, struct timespec *);
int main(void) {
    struct timespec a = {0, 0}, b = {0, 0};
    if (clock_gettime(0, &a) == 0 && clock_gettime(0, &b) == 0)
        assert(b.tv_sec >= a.tv_sec);
    return 0;
}
