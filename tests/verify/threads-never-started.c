// verdict: holds
// A thread that is never started, beside one that is: the certificate knows that nobody runs it.
#include <assert.h>
#include <pthread.h>
static int shared, enabled;
static void *zero(void *unused) {
    shared = 0;
    return 0;
}
static void *one(void *unused) {
    shared = 1;
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, zero, 0);
    if (enabled)
        pthread_create(&thread, 0, one, 0);
    assert(shared == 0);
    return 0;
}
