#include <pthread.h>
#include <assert.h>
int x;
void *g(void *a) {
    x = x + 1;
    return 0;
}
void *f(void *a) {
    pthread_t p;
    pthread_create(&p, 0, g, 0);
    x = x + 1;
    pthread_join(p, 0);
    return 0;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, f, 0);
    pthread_join(p, 0);
    assert(x == 2); // violated
    assert(x >= 1);
    return 0;
}
