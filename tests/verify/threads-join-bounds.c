// verdict: violated
// without random runs: violated
// args: --checks bounds
// pthread_join writes the result of the thread where it is told to.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static void *run(void *argument) {
    return argument;
}

int main(void) {
    pthread_t thread;
    void *results[1];
    int place = __VERIFIER_nondet_int() == 123456;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, &results[place]);
    return 0;
}
