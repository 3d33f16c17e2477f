#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
void *f(void *a) {
    int y = atomic_load(&x);
    atomic_store(&x, y + 1);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, f, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(x == 2); // violated
    assert(x >= 1);
    return 0;
}
