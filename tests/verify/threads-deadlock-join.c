// verdict: violated
// args: --checks deadlock --hunt 2000
// To join a thread that waits for what the first one holds: no mutex closes the circle.
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *waits(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, waits, 0);
    pthread_join(thread, 0);
    pthread_mutex_unlock(&mutex);
    return 0;
}
