// verdict: holds
// args: --checks deadlock,lock,race
// Any number of threads take two mutexes in the same order.
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused) {
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    count++;
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, work, 0);
}
