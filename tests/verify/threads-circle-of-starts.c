// verdict: violated
// Threads that start each other in a circle are any number.
#include <assert.h>
#include <pthread.h>
static int c = 1;
static void *up(void *unused);

static void *down(void *unused) {
    pthread_t thread;
    __sync_fetch_and_sub(&c, 1);
    pthread_create(&thread, 0, up, 0);
    return 0;
}

static void *up(void *unused) {
    pthread_t thread;
    __sync_fetch_and_add(&c, 1);
    assert(c > 0);
    __sync_fetch_and_sub(&c, 1);
    pthread_create(&thread, 0, down, 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, up, 0);
    pthread_exit(0);
}
