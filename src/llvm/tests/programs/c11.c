#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
int x;
mtx_t m;
once_flag o = ONCE_FLAG_INIT;
int inits;
void init(void) {
    inits++;
}
int f(void *a) {
    call_once(&o, init);
    mtx_lock(&m);
    int y = x;
    x = y + 1;
    mtx_unlock(&m);
    return 7;
}
int main(void) {
    mtx_init(&m, mtx_plain);
    thrd_t p, q;
    int r;
    thrd_create(&p, f, 0);
    thrd_create(&q, f, 0);
    thrd_join(p, &r);
    assert(r == 7);
    thrd_join(q, 0);
    assert(x == 2);
    assert(inits == 1);
    return 0;
}
