// verdict: holds
// args: --checks pointer,free
// The object ends when nobody is left to access it.
#include <pthread.h>
#include <stdlib.h>
static int *p;

static void *work(void *unused) {
    *p = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    p = malloc(sizeof(int));
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    free(p);
    return 0;
}
