// verdict: unknown(what readers of a read-write lock do at)
// args: --checks lock --hunt 0
// Which threads read under a lock is not kept.
#include <pthread.h>
#include <semaphore.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *one(void *unused) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t thread;
    
    pthread_create(&thread, 0, one, 0);
    pthread_join(thread, 0);
    return 0;
}
