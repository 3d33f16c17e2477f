// verdict: violated
// A signed counter that passes from -1 to 0 does not wrap around.
#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int next = -2, serving = -2;

static void *work(void *unused) {
    int ticket = __sync_fetch_and_add(&next, 1);
    while (serving != ticket)
        ;
    assert(ticket != 0);
    serving = serving + 1;
    return 0;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
    }
    pthread_exit(0);
}
