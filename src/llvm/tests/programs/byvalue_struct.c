#include <pthread.h>
#include <assert.h>
struct s { int a, b, c, d, e, f; };
int x;
static int sum(struct s v) {
    v.a++;
    x++;
    return v.a + v.f;
}
void *f(void *p) {
    struct s v = {1,2,3,4,5,6};
    if (p) v.f = 9;
    int r = sum(v);
    assert(r == 8 || p);
    assert(r == 11 || !p);
    assert(v.a == 1);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, f, (void*)1);
    return 0;
}
