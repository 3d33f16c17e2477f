// verdict: holds
// The lock is taken and given back in turn, whatever the device says.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int locked;

static void acquire(void) {
    assert(!locked);
    locked = 1;
}

static void release(void) {
    assert(locked);
    locked = 0;
}

int main(void) {
    int packets = 0, old;
    do {
        acquire();
        old = packets;
        if (__VERIFIER_nondet_int()) {
            release();
            packets++;
        }
    } while (packets != old);
    release();
    return 0;
}
