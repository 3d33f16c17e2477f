#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x;
void *f(void *a) {
    x++;
    return 0;
}
int main(void) {
    pthread_t t[2];
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 1);
    for (int i = 0; i <= n; i++) pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i <= n; i++) pthread_join(t[i], 0);
    assert(x <= 2);
    assert(x == n + 1); // violated
    return 0;
}
