// verdict: violated
// The kind of the mutex is asked for through a pointer to the function.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex;
static int (*set)(pthread_mutexattr_t *, int) = pthread_mutexattr_settype;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    assert(0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    set(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
