// verdict: holds
// A table of functions, as drivers have them.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int opened;

static int device_open(int flag) {
    opened = flag;
    return 0;
}

static int device_close(int flag) {
    opened = 0;
    return flag;
}

static int (*const operations[2])(int) = {device_open, device_close};

int main(void) {
    unsigned number = __VERIFIER_nondet_uint();
    if (number < 2) {
        operations[number](1);
        assert(opened == (number == 0));
    }
    return 0;
}
