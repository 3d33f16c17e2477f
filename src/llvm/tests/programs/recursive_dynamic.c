#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
int x;
pthread_mutex_t m;
static void up(void) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
}
void *f(void *a) {
    pthread_mutex_lock(&m);
    up();
    up();
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_mutexattr_t t;
    pthread_mutexattr_init(&t);
    pthread_mutexattr_settype(&t, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &t);
    pthread_t p;
    pthread_create(&p, 0, f, 0);
    f(0);
    pthread_join(p, 0);
    assert(x == 4);
    assert(pthread_mutex_unlock(&m) != 0);
    return 0;
}
