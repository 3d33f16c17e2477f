// verdict: holds
// A device that is opened, started, stopped and closed; it is never started while closed.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum state { CLOSED, OPEN, RUNNING };

struct device {
    enum state state;
    int users;
};

static struct device device;

static void step(struct device *d, int event) {
    switch (d->state) {
    case CLOSED:
        if (event == 0) {
            d->state = OPEN;
            d->users = 1;
        }
        break;
    case OPEN:
        if (event == 1) {
            d->state = RUNNING;
        } else if (event == 2) {
            d->state = CLOSED;
            d->users = 0;
        }
        break;
    case RUNNING:
        assert(d->users == 1);
        if (event == 3) {
            d->state = OPEN;
        }
        break;
    }
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        step(&device, __VERIFIER_nondet_int());
    }
    return 0;
}
