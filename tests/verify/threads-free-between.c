// verdict: violated
// args: --checks pointer
// The object ends between the read of its address and the access.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int v, *p;

static void *work(void *unused) {
    if (__VERIFIER_nondet_int() == 123456) {
        int *q = p;
        *q = 1;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    p = malloc(sizeof(int));
    pthread_create(&thread, 0, work, 0);
    int *q = p;
    p = &v;
    free(q);
    pthread_exit(0);
}
