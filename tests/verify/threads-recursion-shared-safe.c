// verdict: holds
// The procedure that calls itself changes what is shared, under a lock, and asserts something.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int busy;

static void visit(void) {
    pthread_mutex_lock(&mutex);
    assert(busy == 0);
    busy = 1;
    busy = 0;
    pthread_mutex_unlock(&mutex);
    while (__VERIFIER_nondet_int())
        visit();
}

static void *work(void *unused) {
    visit();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    visit();
    return 0;
}
