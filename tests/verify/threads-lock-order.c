// verdict: violated
// args: --checks deadlock
// Two threads take two mutexes, each in its own order.
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void *forth(void *unused) {
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    return 0;
}

static void *back(void *unused) {
    pthread_mutex_lock(&two);
    pthread_mutex_lock(&one);
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&two);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, forth, 0);
    pthread_create(&thread, 0, back, 0);
    return 0;
}
