// verdict: violated
// The same with the lock of the other device.
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
struct d { pthread_mutex_t m; int x; int busy; };
static struct d *mk(void) { struct d *p = calloc(1, sizeof *p); if (!p) abort(); pthread_mutex_init(&p->m, 0); return p; }
static void lock(struct d *p) { pthread_mutex_lock(&p->m); }
static void unlock(struct d *p) { pthread_mutex_unlock(&p->m); }
static struct d *A, *B;
static void touch(struct d *p) { lock(p); p->busy = 1; p->x++; p->busy = 0; unlock(p); }
static void *t(void *arg) { struct d *p = arg; touch(p); return 0; }
int main(void) { A = mk(); B = mk(); pthread_t x; pthread_create(&x, 0, t, A); lock(B); assert(A->busy == 0); unlock(B); }
