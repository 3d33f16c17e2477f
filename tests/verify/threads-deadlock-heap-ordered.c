// verdict: holds
// args: --checks deadlock
// The same in one order: each mutex is allocated once, so it is known which is which.
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t *a, *b;
static void *one(void *unused) {
    pthread_mutex_lock(a);
    pthread_mutex_lock(b);
    pthread_mutex_unlock(b);
    pthread_mutex_unlock(a);
    return 0;
}
static void *two(void *unused) {
    pthread_mutex_lock(a);
    pthread_mutex_lock(b);
    pthread_mutex_unlock(a);
    pthread_mutex_unlock(b);
    return 0;
}
int main(void) {
    pthread_t s, t;
    a = malloc(sizeof *a);
    b = malloc(sizeof *b);
    pthread_mutex_init(a, 0);
    pthread_mutex_init(b, 0);
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
