#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x;
void *g(void *a) {
    int own[1];
    own[0] = 3;
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    assert(own[0] == 3);
    return 0;
}
void *f(void *a) {
    pthread_t p;
    pthread_create(&p, 0, g, 0);
    pthread_join(p, 0);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, f, 0);
    pthread_join(p, 0);
    assert(x >= 1);
    pthread_join(q, 0);
    assert(x == 2);
    return 0;
}
