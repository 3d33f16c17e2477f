#include <pthread.h>
#include <assert.h>
pthread_t p;
int x;
void *f(void *a) {
    assert(p != 0);
    x = 1;
    return 0;
}
int main(void) {
    pthread_create(&p, 0, f, 0);
    pthread_join(p, 0);
    assert(x == 1);
    return 0;
}
