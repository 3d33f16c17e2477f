// verdict: holds
// Only the first thread calls itself, before it starts others.
#include <assert.h>
#include <pthread.h>
static int total;

static int power(int n) {
    return n == 0 ? 1 : 2 * power(n - 1);
}

static void *work(void *unused) {
    assert(total == 8);
    return 0;
}

int main(void) {
    pthread_t thread;
    total = power(3);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
