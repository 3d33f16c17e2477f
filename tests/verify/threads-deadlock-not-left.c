// verdict: holds
// args: --checks deadlock
// A thread gives its mutex back before it ends.
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *ends(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, ends, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
