#include <pthread.h>
#include <assert.h>
int g;
void *f(void *a) {
    int t[2];
    int i = (int)(long)a;
    t[i] = i;
    t[1-i] = 5;
    g = 1;
    assert(t[i] == i);
    assert(t[1-i] == 5);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, (void*)0);
    pthread_create(&q, 0, f, (void*)1);
    pthread_join(p, 0);
    pthread_join(q, 0);
    return 0;
}
