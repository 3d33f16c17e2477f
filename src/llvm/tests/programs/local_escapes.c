#include <pthread.h>
#include <assert.h>
int *g;
void *f(void *a) {
    int own = 1;
    g = &own;
    own++;
    assert(own == 2);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, f, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    return 0;
}
