// verdict: holds
// Workers without end share a counter under a mutex.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        inside++;
        assert(inside == 1);
        inside--;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, worker, 0);
}
