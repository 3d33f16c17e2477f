// verdict: holds
// args: --checks null,bounds,pointer
// A result that nobody wants is written nowhere.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static void *run(void *argument) {
    return argument;
}

int main(void) {
    pthread_t thread;
    void *result;
    void **where = __VERIFIER_nondet_int() ? &result : 0;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, where);
    return 0;
}
