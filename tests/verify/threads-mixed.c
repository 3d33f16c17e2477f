// verdict: holds
// What a thread has read is compared with what it writes, while others do the same: a predicate of both.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);

static int shared;

static void *work(void *unused) {
    __VERIFIER_atomic_begin();
    int before = shared;
    __VERIFIER_assume(before < 1000);
    shared = before + 1;
    __VERIFIER_atomic_end();
    assert(shared > before);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, work, 0);
}
