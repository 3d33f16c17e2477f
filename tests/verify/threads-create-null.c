// verdict: violated
// without random runs: violated
// args: --checks null
// pthread_create writes the number of the thread where it is told to.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static void *run(void *argument) {
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_t *where = &thread;
    if (__VERIFIER_nondet_int() == 123456)
        where = 0;
    pthread_create(where, 0, run, 0);
    return 0;
}
