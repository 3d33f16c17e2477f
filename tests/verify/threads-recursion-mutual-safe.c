// verdict: holds
// Two procedures call each other; the result has two values only, however often they did.
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int odd(unsigned n);

static int even(unsigned n) {
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(unsigned n) {
    return n == 0 ? 0 : even(n - 1);
}

static void *work(void *unused) {
    int result = even(__VERIFIER_nondet_uint());
    assert(result == 0 || result == 1);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    return 0;
}
