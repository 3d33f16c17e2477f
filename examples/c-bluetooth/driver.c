// verdict: violated
// The Bluetooth driver of Windows NT as Qadeer and Wu told it (PLDI 2004): requests are counted, and whoever brings the count to zero says
// that the driver may go. Here a request asks whether the driver stops, and is counted later: in between the driver has gone.
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
    if (stopping)
        return 0;
    add(1);
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
