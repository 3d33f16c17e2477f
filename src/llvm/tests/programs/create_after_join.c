#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
int x;
void *f(void *a) {
    x = 2;
    return 0;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, f, 0);
    pthread_join(p, 0);
    pthread_create(&p, 0, f, 0);
    x = 1;
    pthread_join(p, 0);
    assert(x == 1); // violated
    assert(x == 2); // violated
    return 0;
}
