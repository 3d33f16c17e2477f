#include <pthread.h>
#include <assert.h>
int x;
void *f(void *a) {
    int t[2];
    t[0] = x;
    x = t[0] + 1;
    return 0;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, f, 0);
    f(0);
    pthread_join(p, 0);
    assert(x == 2); // violated
    assert(x >= 1);
    return 0;
}
