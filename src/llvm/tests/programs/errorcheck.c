#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
int x;
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
void *f(void *a) {
    int c = pthread_mutex_lock(&m);
    assert(c == 0);
    c = pthread_mutex_lock(&m);
    assert(c == 35);
    x++;
    c = pthread_mutex_unlock(&m);
    assert(c == 0);
    c = pthread_mutex_unlock(&m);
    assert(c == 1);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, f, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(x == 2);
    return 0;
}
