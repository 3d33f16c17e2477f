#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
int x;
pthread_t seen;
static pthread_t me(void) {
    return pthread_self();
}
void *f(void *a) {
    seen = me();
    assert(!pthread_equal(me(), *(pthread_t *)a));
    return 0;
}
int main(void) {
    pthread_t own = pthread_self();
    pthread_t p;
    pthread_create(&p, 0, f, &own);
    pthread_join(p, 0);
    assert(pthread_equal(seen, p));
    assert(pthread_equal(me(), own));
    assert(!pthread_equal(seen, own));
    return 0;
}
