// verdict: holds
// An atomic section within another one of the same procedure, to a depth that is known.
#include <assert.h>
#include <pthread.h>
static int shared;

void __VERIFIER_atomic_count(int n) {
    shared++;
    if (n > 0)
        __VERIFIER_atomic_count(n - 1);
    shared--;
}

static void *work(void *unused) {
    __VERIFIER_atomic_count(2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    __VERIFIER_atomic_count(1);
    assert(shared == 0);
    return 0;
}
