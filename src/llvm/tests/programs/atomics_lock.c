#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
atomic_flag l = ATOMIC_FLAG_INIT;
int x;
void *f(void *a) {
    __VERIFIER_assume(!atomic_flag_test_and_set(&l));
    int y = x;
    x = y + 1;
    atomic_flag_clear(&l);
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
