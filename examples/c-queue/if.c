// verdict: violated
// The consumer asks only once whether there is an item: another may have taken it when it wakes.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int full, item;

static void *producer(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (full)
            pthread_cond_wait(&emptied, &mutex);
        item = 7;
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

static void *consumer(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        if (!full)
            pthread_cond_wait(&filled, &mutex);
        assert(item == 7);
        item = 0;
        full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;) {
        pthread_create(&thread, 0, producer, 0);
        pthread_create(&thread, 0, consumer, 0);
    }
}
