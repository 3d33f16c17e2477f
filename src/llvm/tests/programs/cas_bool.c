#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
int l, x;
void *f(void *a) {
    if (__sync_bool_compare_and_swap(&l, 0, 1)) {
        int y = x;
        x = y + 1;
        l = 0;
    }
    int o = __sync_val_compare_and_swap(&l, 0, 0);
    int e = __atomic_exchange_n(&x, x, __ATOMIC_ACQ_REL);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, f, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(x <= 2);
    assert(x == 2); // violated
    assert(x != 0);
    return 0;
}
