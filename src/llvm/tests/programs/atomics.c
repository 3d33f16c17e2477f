#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
int y;
_Atomic long z;
void *f(void *a) {
    x++;
    atomic_fetch_add(&x, 2);
    __sync_fetch_and_add(&y, 1);
    __atomic_add_fetch(&y, 1, __ATOMIC_SEQ_CST);
    int e = 0;
    if (atomic_compare_exchange_strong(&z, &(long){0}, 5)) __sync_synchronize();
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, f, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(x == 6);
    assert(y == 4);
    assert(z == 5);
    return 0;
}
