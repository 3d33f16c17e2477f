#include <assert.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <threads.h>
int x;
mtx_t m;
int f(void *a) {
    mtx_lock(&m);
    mtx_lock(&m);
    int y = x;
    x = y + 1;
    mtx_unlock(&m);
    mtx_unlock(&m);
    thrd_exit(3);
}
int main(void) {
    mtx_init(&m, mtx_recursive);
    thrd_t p, q;
    int r;
    thrd_create(&p, f, 0);
    thrd_create(&q, f, 0);
    thrd_join(p, &r);
    assert(r == 3);
    thrd_join(q, 0);
    assert(x == 2);
    return 0;
}
