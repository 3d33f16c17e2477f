// verdict: violated
// Workers without end share a counter, and nothing keeps them apart.
#include <assert.h>
#include <pthread.h>

static int inside;

static void *worker(void *unused) {
    for (;;) {
        inside++;
        assert(inside == 1);
        inside--;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, worker, 0);
}
