#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
int x;
void *f(void *a) {
    x = 1;
    exit(0);
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, f, 0);
    pthread_join(p, 0);
    assert(0);
    return 0;
}
