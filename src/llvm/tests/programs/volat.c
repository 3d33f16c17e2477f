#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
volatile int x;
void *f(void *a) {
    x = x + 1;
    return 0;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, f, 0);
    int u = x;
    int v = x;
    assert(u == v); // violated
    assert(u <= v);
    pthread_join(p, 0);
    return 0;
}
