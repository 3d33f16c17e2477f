// verdict: violated
// args: --checks race
// Who writes does so in an atomic section, who reads does not: only the writer can see that.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static int count;

static void *work(void *unused) {
    __VERIFIER_atomic_begin();
    count = count + 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    return count;
}
