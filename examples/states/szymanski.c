// verdict: holds
// args: --engine states
//
// Szymanski's lock for two threads. The flag of a thread says how far it has come: 0 outside, 1 wants to enter, 2 waits for
// others, 3 is at the door, 4 is inside. The flags lie on the heap.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define THREADS 2

static atomic_int *flags;
static atomic_int inside;

/* Whether a flag of these threads is from `low` to `high`. Each is read once. */
static int any(int low, int high, int from, int to) {
    for (int i = from; i < to; i++) {
        int flag = flags[i];
        if (low <= flag && flag <= high)
            return 1;
    }
    return 0;
}

static void enter(int me) {
    flags[me] = 1;
    while (any(3, 4, 0, THREADS))
        ;
    flags[me] = 3;
    if (any(1, 1, 0, THREADS)) {
        flags[me] = 2;
        while (!any(4, 4, 0, THREADS))
            ;
    }
    flags[me] = 4;
    while (any(2, 4, 0, me))
        ;
}

static void leave(int me) {
    while (any(2, 3, me + 1, THREADS))
        ;
    flags[me] = 0;
}

static void *run(void *argument) {
    int me = (int)(long)argument;
    for (int round = 0; round < 2; round++) {
        enter(me);
        inside++;
        assert(inside == 1);
        inside--;
        leave(me);
    }
    return 0;
}

int main(void) {
    flags = calloc(THREADS, sizeof *flags);
    pthread_t thread;
    pthread_create(&thread, 0, run, (void *)1);
    run((void *)0);
    pthread_join(thread, 0);
    free(flags);
    return 0;
}
