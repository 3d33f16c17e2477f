// verdict: violated
// args: --engine states
//
// Anderson's queue lock: each thread draws a ticket, and waits until the slot of its ticket is free.
// The ticket is not drawn in one step, so two threads may draw the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 2

static atomic_int free_slots[THREADS] = {1};
static atomic_int next;
static atomic_int inside;

static int draw(void) {
    int ticket = next;
    next = ticket + 1;
    return ticket % THREADS;
}

static void *run(void *unused) {
    (void)unused;
    for (int round = 0; round < 2; round++) {
        int slot = draw();
        while (!free_slots[slot])
            ;
        free_slots[slot] = 0;
        inside++;
        assert(inside == 1);
        inside--;
        free_slots[(slot + 1) % THREADS] = 1;
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
