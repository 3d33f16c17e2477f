#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int sum;
void *f(void *a) {
    long v = (long)a;
    __VERIFIER_atomic_begin();
    sum += v;
    __VERIFIER_atomic_end();
    return (void*)(v + 1);
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, f, (void *)i);
    void *r;
    pthread_join(t[1], &r);
    assert(r == (void*)2);
    pthread_join(t[0], &r);
    assert(r == (void*)1);
    assert(sum == 1);
    return 0;
}
