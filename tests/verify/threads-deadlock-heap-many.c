// verdict: unknown(a wait for one of many locks, or of locks with computed addresses at)
// args: --checks deadlock
// Mutexes that are allocated in a loop: nobody has looked, so nothing holds.
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t *locks[2];

static void *work(void *unused) {
    pthread_mutex_lock(locks[0]);
    pthread_mutex_lock(locks[1]);
    pthread_mutex_unlock(locks[1]);
    pthread_mutex_unlock(locks[0]);
    return 0;
}

int main(void) {
    pthread_t s, t;
    for (int i = 0; i < 2; i++) {
        locks[i] = malloc(sizeof *locks[i]);
        pthread_mutex_init(locks[i], 0);
    }
    pthread_create(&s, 0, work, 0);
    pthread_create(&t, 0, work, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
