#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
int x;
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
void *f(void *a) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    int y = x;
    x = y + 1;
    pthread_mutex_unlock(&m);
    x = x + 1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, f, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(x == 4);
    return 0;
}
