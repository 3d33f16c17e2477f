// verdict: holds
// args: --engine states
//
// Two threads count one variable up, one after the other.
#include <assert.h>
#include <pthread.h>

static int count = 33;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *up(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, up, 0);
    pthread_create(&second, 0, up, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(count == 35);
    return 0;
}
