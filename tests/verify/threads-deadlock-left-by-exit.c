// verdict: violated
// args: --checks deadlock --hunt 0
// A thread ends by pthread_exit, in a function that it calls, while it holds a mutex.
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void leave(void) { pthread_exit(0); }
static void *ends(void *unused) {
    pthread_mutex_lock(&mutex);
    leave();
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
