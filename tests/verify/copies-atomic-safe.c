// verdict: holds
// The copies of an atomic function are atomic, too.
#include <pthread.h>
#include <assert.h>
static int x;
static void __VERIFIER_atomic_add(int *p) { *p = *p + 1; }
static void *t(void *a) { __VERIFIER_atomic_add(&x); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,t,0); pthread_create(&b,0,t,0); __VERIFIER_atomic_add(&x); pthread_join(a,0); pthread_join(b,0); assert(x == 3); }
