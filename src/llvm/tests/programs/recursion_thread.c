#include <pthread.h>
#include <assert.h>
int g;
static int fact(int n) {
    if (n <= 1) return 1;
    g++;
    return n * fact(n - 1);
}
void *f(void *a) {
    int r = fact(3);
    assert(r == 6);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, (void*)1);
    pthread_create(&q, 0, f, (void*)5);
    pthread_join(p,0);
    pthread_join(q,0);
    assert(g == 4); // violated
    assert(g >= 2);
    return 0;
}
