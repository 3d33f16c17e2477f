#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
int ready;
mtx_t m;
cnd_t c;
int f(void *a) {
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    return -1;
}
int main(void) {
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_t p;
    int r;
    thrd_create(&p, f, 0);
    mtx_lock(&m);
    if (!ready) cnd_wait(&c, &m);
    assert(ready); // violated
    mtx_unlock(&m);
    thrd_join(p, &r);
    assert(r == -1);
    return 0;
}
