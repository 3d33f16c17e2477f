// verdict: holds
// without random runs: holds
// args: --checks deadlock
// Threads get the mutexes, which are on the stack of the first, by a pointer; they take them in the same order.
#include <pthread.h>
struct pair {
    pthread_mutex_t a, b;
};

static void *one(void *argument) {
    struct pair *p = argument;
    pthread_mutex_lock(&p->a);
    pthread_mutex_lock(&p->b);
    pthread_mutex_unlock(&p->b);
    pthread_mutex_unlock(&p->a);
    return 0;
}

static void *two(void *argument) {
    struct pair *p = argument;
    pthread_mutex_lock(&p->a);
    pthread_mutex_lock(&p->b);
    pthread_mutex_unlock(&p->b);
    pthread_mutex_unlock(&p->a);
    return 0;
}

int main(void) {
    struct pair pair;
    pthread_mutex_init(&pair.a, 0);
    pthread_mutex_init(&pair.b, 0);
    pthread_t s, t;
    pthread_create(&s, 0, one, &pair);
    pthread_create(&t, 0, two, &pair);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
