// verdict: violated
// args: --checks free
// Both threads may see the pointer before one of them resets it.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *p;

static void *work(void *unused) {
    if (__VERIFIER_nondet_int() == 123456 && p) {
        free(p);
        p = 0;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    p = malloc(sizeof(int));
    pthread_create(&thread, 0, work, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
