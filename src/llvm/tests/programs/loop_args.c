#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int id[2], sum;
void *f(void *a) {
    int v = *(int *)a;
    __VERIFIER_atomic_begin();
    sum += v;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        id[i] = i + 1;
        pthread_create(&t[i], 0, f, &id[i]);
    }
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(sum == 3);
    assert(sum == 4); // violated
    return 0;
}
