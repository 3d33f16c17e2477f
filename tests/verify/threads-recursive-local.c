// verdict: unknown(a mutex of another kind)
// The kind of a local mutex is written by a store, not by an initialiser of a global variable.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static void *work(void *unused) {
    pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    assert(__VERIFIER_nondet_int() != 123456);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
