#include <pthread.h>
#include <assert.h>
int x;
void *f(void *a) {
    x = 1;
    return 0;
}
void *j(void *a) {
    pthread_join(*(pthread_t *)a, 0);
    assert(x == 1);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, j, &p);
    pthread_join(q, 0);
    assert(x == 1);
    return 0;
}
