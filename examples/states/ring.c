// verdict: holds
// args: --engine states
//
// A ring buffer without locks, for one reader and one writer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SIZE 4
#define ITEMS 8

struct ring {
    atomic_int begin, end;
    atomic_int items[SIZE];
};

static void put(struct ring *ring, int item) {
    int end = ring->end, next = (end + 1) % SIZE;
    while (next == ring->begin)
        ;
    ring->items[end] = item;
    ring->end = next;
}

static int take(struct ring *ring) {
    int begin = ring->begin;
    while (begin == ring->end)
        ;
    int item = ring->items[begin];
    ring->begin = (begin + 1) % SIZE;
    return item;
}

static void *read_all(void *argument) {
    struct ring *ring = argument;
    for (int i = 1; i <= ITEMS; i++)
        assert(take(ring) == i);
    assert(ring->begin == ring->end);
    return 0;
}

int main(void) {
    struct ring *ring = calloc(1, sizeof *ring);
    pthread_t reader;
    pthread_create(&reader, 0, read_all, ring);
    for (int i = 1; i <= ITEMS; i++)
        put(ring, i);
    pthread_join(reader, 0);
    free(ring);
    return 0;
}
