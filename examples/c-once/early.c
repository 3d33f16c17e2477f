// verdict: violated
// The flag is set before the value is there.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready, value, times;

static void *user(void *unused) {
    if (!ready) {
        pthread_mutex_lock(&mutex);
        if (!ready) {
            times++;
            ready = 1;
            value = 42;
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
