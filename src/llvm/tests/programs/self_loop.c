#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
pthread_t seen[2];
void *f(void *a) {
    seen[(long)a] = pthread_self();
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, f, (void *)i);
    for (long i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(seen[0] == t[0]);
    assert(seen[1] == t[1]);
    assert(seen[0] != seen[1]);
    return 0;
}
