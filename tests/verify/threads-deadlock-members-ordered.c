// verdict: holds
// args: --checks deadlock
// A mutex in a struct and one in an array, always in the same order; the first thread holds none while it joins.
#include <pthread.h>
static struct {
    int number;
    pthread_mutex_t first, second;
} pair = {0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t row[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *one(void *unused) {
    pthread_mutex_lock(&pair.second);
    pthread_mutex_lock(&row[1]);
    pthread_mutex_unlock(&row[1]);
    pthread_mutex_unlock(&pair.second);
    return 0;
}
static void *two(void *unused) {
    pthread_mutex_lock(&pair.second);
    pthread_mutex_lock(&row[1]);
    pthread_mutex_unlock(&row[1]);
    pthread_mutex_unlock(&pair.second);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
