// verdict: holds
// Peterson's lock, for two threads.
#include <assert.h>
#include <pthread.h>

static int first_wants, second_wants, turn, owner;

static void *first(void *unused) {
    first_wants = 1;
    turn = 1;
    while (second_wants && turn == 1) {
    }
    owner = 1;
    assert(owner == 1);
    first_wants = 0;
    return 0;
}

static void *second(void *unused) {
    second_wants = 1;
    turn = 0;
    while (first_wants && turn == 0) {
    }
    owner = 2;
    assert(owner == 2);
    second_wants = 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    pthread_create(&thread, 0, second, 0);
    return 0;
}
