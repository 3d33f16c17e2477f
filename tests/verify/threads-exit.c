// verdict: holds
// The process ends with whoever ends it: nobody comes to the assertions.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int never;

static void *waits(void *unused) {
    while (!never) {
    }
    assert(0);
    return 0;
}

static void *ends(void *unused) {
    exit(0);
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, waits, 0);
    pthread_create(&other, 0, ends, 0);
    pthread_join(other, 0);
    assert(0);
    return 0;
}
