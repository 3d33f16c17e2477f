#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
int *g[2];
void *f(void *a) {
    int i = (int)(long)a;
    int *p = malloc(4);
    *p = i;
    g[i] = p;
    assert(*p == i);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, (void*)0);
    pthread_create(&q, 0, f, (void*)1);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(g[0] != g[1]);
    assert(*g[1] == 1);
    assert(*g[0] == 1); // violated
    return 0;
}
