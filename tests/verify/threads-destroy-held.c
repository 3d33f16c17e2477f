// verdict: violated
// args: --checks lock
// property: main.lock.1 violated
// The mutex is destroyed while the thread may hold it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_destroy(&mutex);
    return 0;
}
