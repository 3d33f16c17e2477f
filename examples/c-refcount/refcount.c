// verdict: holds
// An object that counts who uses it, with compare-and-swap: nobody may take it back from zero. Whoever lets go of it last frees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int users = 1;
static int freed;

static int get(void) {
    int seen = atomic_load(&users);
    do {
        if (seen == 0)
            return 0;
    } while (!atomic_compare_exchange_strong(&users, &seen, seen + 1));
    return 1;
}

static void put(void) {
    if (atomic_fetch_sub(&users, 1) == 1)
        freed = 1;
}

static void *user(void *unused) {
    if (get()) {
        assert(!freed);
        put();
    }
    return 0;
}

static void *owner(void *unused) {
    put();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, owner, 0);
    for (;;)
        pthread_create(&thread, 0, user, 0);
}
