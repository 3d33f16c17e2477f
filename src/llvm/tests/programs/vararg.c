#include <pthread.h>
#include <assert.h>
#include <stdarg.h>
int g;
static int sum(int n, ...) {
    va_list l;
    va_start(l, n);
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += va_arg(l, int);
        g++;
    }
    va_end(l);
    return s;
}
void *f(void *a) {
    int k = (int)(long)a;
    int r = sum(2, k, 1);
    assert(r == k + 1);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, (void*)1);
    pthread_create(&q, 0, f, (void*)5);
    return 0;
}
