// verdict: violated
// args: --engine states
//
// Peterson's lock for two threads. What the threads share lies on the stack of `main`, and they get at it by a pointer.
// A thread takes back its own wish before it waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct lock {
    atomic_int wants[2];
    atomic_int turn;
    atomic_int inside;
};

struct side {
    struct lock *lock;
    int me;
};

static void enter(struct lock *lock, int me) {
    int other = 1 - me;
    lock->wants[me] = 1;
    lock->turn = other;
    lock->wants[me] = 0;
    while (lock->wants[other] && lock->turn == other)
        ;
}

static void work(struct lock *lock) {
    lock->inside++;
    assert(lock->inside == 1);
    lock->inside--;
}

static void *run(void *argument) {
    struct side *side = argument;
    struct lock *lock = side->lock;
    int me = side->me;
    for (int round = 0; round < 3; round++) {
        enter(lock, me);
        work(lock);
        lock->wants[me] = 0;
    }
    return 0;
}

int main(void) {
    struct lock lock = {0};
    struct side sides[2] = {{&lock, 0}, {&lock, 1}};
    pthread_t thread;
    pthread_create(&thread, 0, run, &sides[1]);
    run(&sides[0]);
    pthread_join(thread, 0);
    return 0;
}
