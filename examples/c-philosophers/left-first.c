// verdict: violated
// args: --checks deadlock
// Three philosophers, three forks. Each takes the left one first: if all do so at once, all wait for the right one.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

static void *second(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&b);
    return 0;
}

static void *third(void *unused) {
    pthread_mutex_lock(&c);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&c);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    pthread_create(&thread, 0, second, 0);
    pthread_create(&thread, 0, third, 0);
    for (;;)
        ;
}
