#include <pthread.h>
#include <assert.h>
int g;
static void inc(int *p) {
    *p += 1;
}
static int h(int n) {
    inc(&n);
    inc(&n);
    return n;
}
void *f(void *a) {
    int r = h((int)(long)a);
    assert(r == (long)a + 2);
    g = r;
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, (void*)1);
    pthread_create(&q, 0, f, (void*)5);
    return 0;
}
