#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
int x;
pthread_mutex_t m;
void *f(void *a) {
    if (pthread_mutex_timedlock(&m, 0)) {
        x = 9;
        return 0;
    }
    int y = x;
    x = y + 1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, f, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(x == 2); // violated
    assert(x != 1);
    return 0;
}
