// verdict: violated
// args: --checks deadlock --hunt 2000
// Two are to come to a barrier, and one does.
#include <pthread.h>
#include <semaphore.h>
static pthread_barrier_t b;
static void *one(void *unused) {
    pthread_barrier_wait(&b);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&thread, 0, one, 0);
    pthread_join(thread, 0);
    return 0;
}
