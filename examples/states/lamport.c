// verdict: holds
// args: --engine states
//
// Lamport's fast lock, for three threads: without a rival, a thread makes few accesses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3

static atomic_int entering[THREADS];
static atomic_int x, y;
static atomic_int inside;

static void enter(int me) {
again:
    entering[me - 1] = 1;
    x = me;
    if (y != 0) {
        entering[me - 1] = 0;
        while (y != 0)
            ;
        goto again;
    }
    y = me;
    if (x != me) {
        entering[me - 1] = 0;
        for (int i = 0; i < THREADS; i++)
            while (entering[i])
                ;
        if (y != me) {
            while (y != 0)
                ;
            goto again;
        }
    }
}

static void *run(void *argument) {
    int me = (int)(long)argument;
    enter(me);
    inside++;
    assert(inside == 1);
    inside--;
    y = 0;
    entering[me - 1] = 0;
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 1; i <= THREADS; i++)
        pthread_create(&threads[i - 1], 0, run, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
