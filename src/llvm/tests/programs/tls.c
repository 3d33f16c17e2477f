#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
__thread int own = 5;
int x;
static int *where(void) {
    return &own;
}
void *f(void *a) {
    assert(own == 5);
    own += (int)(long)a;
    x++;
    assert(*where() == 5 + (long)a);
    return 0;
}
int main(void) {
    own = 9;
    pthread_t p, q;
    pthread_create(&p, 0, f, (void*)1);
    pthread_create(&q, 0, f, (void*)2);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(own == 9);
    return 0;
}
