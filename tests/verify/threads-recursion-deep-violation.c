// verdict: violated
// A violation that is deeper than there are copies is a violation.
#include <assert.h>
#include <pthread.h>

static void down(int n) {
    assert(n > -10);
    if (n > -20)
        down(n - 1);
}

static void *work(void *unused) {
    down(0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
