// verdict: unknown(deep in an atomic section)
// An atomic section that calls itself cannot begin again where it is.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int shared;

void __VERIFIER_atomic_count(void) {
    shared++;
    if (__VERIFIER_nondet_int())
        __VERIFIER_atomic_count();
    shared--;
}

static void *work(void *unused) {
    __VERIFIER_atomic_count();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    __VERIFIER_atomic_count();
    assert(shared == 0);
    return 0;
}
