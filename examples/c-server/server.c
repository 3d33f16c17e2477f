// verdict: holds
// A server starts a thread for every request, as long as it is not told to stop.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int open = 1, writing;

static void *serve(void *request) {
    int wants = (int)(long)request;
    pthread_mutex_lock(&mutex);
    if (open && wants) {
        assert(!writing);
        writing = 1;
        writing = 0;
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, serve, (void *)(long)__VERIFIER_nondet_int());
    pthread_mutex_lock(&mutex);
    open = 0;
    assert(!writing);
    pthread_mutex_unlock(&mutex);
    return 0;
}
