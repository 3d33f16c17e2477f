// verdict: holds
// args: --checks race
// Any number of workers count under a mutex; each has a variable of its own, whose address it passes down.
#include <pthread.h>

static int count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void raise_by(int *number, int by) {
    *number = *number + by;
}

static void *work(void *unused) {
    int own = 0;
    raise_by(&own, 2);
    pthread_mutex_lock(&mutex);
    count = count + 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, work, 0);
}
