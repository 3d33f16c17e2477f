// verdict: violated
// The calls do not pass it on unchanged.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int held;

static void nest(int locked, int again) {
    if (again)
        nest(1 - locked, __VERIFIER_nondet_int());
    if (locked)
        assert(held == 1);
}

static void *work(void *unused) {
    nest(0, __VERIFIER_nondet_int());
    pthread_mutex_lock(&mutex);
    held = 1;
    nest(1, __VERIFIER_nondet_int());
    held = 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    return 0;
}
