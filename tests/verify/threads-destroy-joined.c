// verdict: holds
// args: --checks lock
// The mutex is destroyed when all who use it have ended; a spin lock and a condition variable are used as they should be.
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_spinlock_t spin;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int done;

static void *work(void *unused) {
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&mutex, 0);
    pthread_spin_init(&spin, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&mutex);
    while (done == 0)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    pthread_mutex_destroy(&mutex);
    pthread_spin_destroy(&spin);
    return 0;
}
