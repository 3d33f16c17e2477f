// verdict: violated
// Who has called itself does not lock.
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static unsigned steps(unsigned n) {
    return n == 0 ? 0 : 1 + steps(n - 1);
}

static void *work(void *unused) {
    unsigned n = steps(__VERIFIER_nondet_uint());
    if (n == 0)
        pthread_mutex_lock(&mutex);
    inside++;
    assert(inside == 1);
    inside--;
    if (n == 0)
        pthread_mutex_unlock(&mutex);
    return (void *)(unsigned long)n;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
