// verdict: unknown(a wait for a semaphore at)
// args: --checks deadlock
// A semaphore that is raised in time: the model does not look, so nothing holds.
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *one(void *unused) {
    sem_wait(&s);
    return 0;
}
int main(void) {
    pthread_t thread;
    sem_init(&s, 0, 0);
    pthread_create(&thread, 0, one, 0);
    sem_post(&s);
    pthread_join(thread, 0);
    return 0;
}
