#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
int x;
static void leave(int c) {
    if (c) pthread_exit((void*)7);
}
void *f(void *a) {
    leave(a != 0);
    x = 1;
    return (void*)8;
}
int main(void) {
    pthread_t p, q;
    void *r;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, f, (void*)1);
    pthread_join(q, &r);
    assert(r == (void*)7);
    pthread_join(p, &r);
    assert(r == (void*)8);
    assert(x == 0); // violated
    return 0;
}
