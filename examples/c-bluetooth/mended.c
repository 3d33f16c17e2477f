// verdict: holds
// The Bluetooth driver of Windows NT as Qadeer and Wu told it (PLDI 2004): requests are counted, and whoever brings the count to zero says
// that the driver may go. Here a request is counted first, and asks then whether the driver stops.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);

static int pending = 1, stopping, event, stopped;

static int add(int by) {
    __VERIFIER_atomic_begin();
    pending += by;
    int now = pending;
    __VERIFIER_atomic_end();
    return now;
}

static void done(void) {
    if (add(-1) == 0)
        event = 1;
}

static void *request(void *unused) {
    add(1);
    if (!stopping)
        assert(!stopped);
    done();
    return 0;
}

static void *stop(void *unused) {
    stopping = 1;
    done();
    __VERIFIER_assume(event);
    stopped = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, stop, 0);
    for (;;)
        pthread_create(&thread, 0, request, 0);
}
