// verdict: holds
// A ticket lock: numbers are drawn, and served in turn.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);

static unsigned next, serving;
static int inside;

static void *worker(void *unused) {
    __VERIFIER_atomic_begin();
    unsigned mine = next;
    next++;
    __VERIFIER_atomic_end();
    __VERIFIER_assume(serving == mine);
    inside++;
    assert(inside == 1);
    inside--;
    serving++;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, worker, 0);
}
