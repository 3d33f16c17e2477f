// verdict: holds
// args: --checks bounds
// A driver that probes the ports of a table which ends with a zero.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static const int ports[] = {0x180, 0x280, 0x380, 0};

/* A card answers at its port, or it does not. */
static int card_at(int port) {
    return __VERIFIER_nondet_int() ? port : 0;
}

int main(void) {
    int i, found = 0;
    for (i = 0; !found && ports[i] != 0; i++) {
        if (card_at(ports[i])) {
            found = ports[i];
        }
    }
    assert(i <= 3);
    return found ? 0 : 1;
}
