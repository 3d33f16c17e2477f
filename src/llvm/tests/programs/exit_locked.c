#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
pthread_mutex_t m;
int x;
void *f(void *a) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_exit(0);
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, f, 0);
    pthread_join(p, 0);
    pthread_mutex_lock(&m);
    assert(0);
    return 0;
}
