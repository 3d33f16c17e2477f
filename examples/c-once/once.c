// verdict: holds
// Double-checked initialisation: whoever sees the flag sees the value.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready, value, times;

static void *user(void *unused) {
    if (!ready) {
        pthread_mutex_lock(&mutex);
        if (!ready) {
            times++;
            value = 42;
            ready = 1;
        }
        pthread_mutex_unlock(&mutex);
    }
    assert(value == 42);
    assert(times == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, user, 0);
}
