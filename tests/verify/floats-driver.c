// verdict: holds
// What a device computes has nothing to do with its lock.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);

struct device {
    int locked;
    double load, average;
};

static struct device device;

static void lock(void) {
    assert(!device.locked);
    device.locked = 1;
}

static void unlock(void) {
    assert(device.locked);
    device.locked = 0;
}

static void update(double sample) {
    lock();
    device.load = device.load * 0.9 + sample / 10;
    if (device.load > device.average)
        device.average = device.load;
    unlock();
}

int main(void) {
    while (__VERIFIER_nondet_int())
        update(__VERIFIER_nondet_double());
    return 0;
}
