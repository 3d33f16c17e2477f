// verdict: violated
// args: --checks deadlock --hunt 2000
// Nobody signals.
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *one(void *unused) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t thread;
    
    pthread_create(&thread, 0, one, 0);
    pthread_join(thread, 0);
    return 0;
}
