// verdict: violated
// When the first thread ends by `pthread_exit`, the others go on.
#include <assert.h>
#include <pthread.h>

static int x;

static void *late(void *unused) {
    x = 1;
    assert(x == 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, late, 0);
    pthread_exit(0);
}
