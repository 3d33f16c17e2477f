// verdict: violated
// args: --checks deadlock
// Three threads, three mutexes: a circle of three, though no two threads wait for each other.
#include <pthread.h>

static pthread_mutex_t fork[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *first(void *unused) {
    pthread_mutex_lock(&fork[0]);
    pthread_mutex_lock(&fork[1]);
    pthread_mutex_unlock(&fork[1]);
    pthread_mutex_unlock(&fork[0]);
    return 0;
}

static void *second(void *unused) {
    pthread_mutex_lock(&fork[1]);
    pthread_mutex_lock(&fork[2]);
    pthread_mutex_unlock(&fork[2]);
    pthread_mutex_unlock(&fork[1]);
    return 0;
}

static void *third(void *unused) {
    pthread_mutex_lock(&fork[2]);
    pthread_mutex_lock(&fork[0]);
    pthread_mutex_unlock(&fork[0]);
    pthread_mutex_unlock(&fork[2]);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    pthread_create(&thread, 0, second, 0);
    pthread_create(&thread, 0, third, 0);
    return 0;
}
