#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int sum;
void *f(void *a) {
    int v = *(int *)a;
    __VERIFIER_atomic_begin();
    sum += v;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++) pthread_create(&t[i], 0, f, &i);
    for (int j = 0; j < 2; j++) pthread_join(t[j], 0);
    assert(sum == 1); // violated
    assert(sum <= 4);
    assert(sum != 4);
    return 0;
}
