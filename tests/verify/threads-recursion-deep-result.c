// verdict: unknown(what sum has in its variables after it has called itself often)
// Nobody knows what the outer ones add: there are not so many copies.
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned result;

static unsigned sum(unsigned n) {
    return n == 0 ? 0 : n + sum(n - 1);
}

static void *work(void *unused) {
    unsigned n = __VERIFIER_nondet_uint();
    result = n <= 40 ? sum(n) : 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(result < 1000);
    return 0;
}
