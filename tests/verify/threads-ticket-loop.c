// verdict: unknown
// args: --max-iterations 3 --hunt 100
// Threads draw again and again: the counter wraps around, and then two of them may have the same number.
#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static unsigned next, serving;
static int inside;
static void *work(void *unused) {
    for (;;) {
        unsigned mine = __sync_fetch_and_add(&next, 1);
        while (serving != mine)
            ;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        serving = serving + 1;
    }
    return 0;
}
int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
