#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
int x;
void *f(void *a) {
    x = 1;
    assert(x == 2); // violated
    return 0;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, f, 0);
    pthread_exit(0);
    assert(0);
    return 0;
}
