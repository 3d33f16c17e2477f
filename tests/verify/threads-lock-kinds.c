// verdict: violated
// args: --checks lock
// property: work.lock.1 violated
// property: main.lock.2 violated
// A thread waits at a condition variable without the mutex; another reads under a lock that it has for writing.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *work(void *unused) {
    pthread_cond_wait(&condition, &mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_rdlock(&lock);
    return 0;
}
