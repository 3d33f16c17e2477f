#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int *g;
int done;
void *f(void *a) {
    int own = 1;
    if (a) {
        g = &own;
        while (!done) __VERIFIER_assume(done);
        assert(own == 1); // violated
    } else {
        int *h = g;
        if (h) {
            *h = 7;
        }
        done = 1;
        assert(own == 1);
    }
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, (void*)1);
    pthread_create(&q, 0, f, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    return 0;
}
