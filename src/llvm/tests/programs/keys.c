#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
pthread_key_t k, l;
int x;
void *f(void *a) {
    assert(pthread_getspecific(k) == 0);
    pthread_setspecific(k, a);
    pthread_setspecific(l, &x);
    x++;
    assert(pthread_getspecific(k) == a);
    assert(pthread_getspecific(l) == &x);
    return 0;
}
int main(void) {
    pthread_key_create(&k, 0);
    pthread_key_create(&l, 0);
    pthread_t p, q;
    pthread_create(&p, 0, f, (void*)1);
    pthread_create(&q, 0, f, (void*)2);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(pthread_getspecific(k) == 0);
    return 0;
}
