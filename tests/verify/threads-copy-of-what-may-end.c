// verdict: holds
// args: --checks pointer,uninitialised
// A thread copies a local variable; others could end it only by a race.
#include <pthread.h>
struct bits {
    unsigned a : 3, b : 5;
};
static struct bits place;
static int sink;

static void *work(void *unused) {
    struct bits before;
    before.a = 1;
    before.b = 2;
    place = before;
    if (place.b == 3)
        sink = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
