// verdict: violated
// args: --checks lock
// property: work.lock.2 holds
// property: work.lock.3 violated
// The second unlock finds the mutex free, or in the hands of another thread.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, work, 0);
}
