// verdict: holds
// What the loops compute has nothing to do with the lock. Paths that leave them too early are wrong about the lock as well, and only
// that is refuted.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int locked;
static unsigned table[64];

static void fill(unsigned seed) {
    for (int i = 0; i < 64; i++) {
        seed = seed * 1664525u + 1013904223u;
        table[i] = seed >> 7;
    }
}

static int checksum(void) {
    unsigned sum = 0;
    for (int i = 0; i < 64; i++) {
        if (table[i] % 3 == 1)
            sum ^= table[i] << (i & 7);
        else
            sum += table[i];
    }
    return (int)(sum & 0xff);
}

static void lock(void) {
    assert(!locked);
    locked = 1;
}

static void unlock(void) {
    assert(locked);
    locked = 0;
}

int main(void) {
    fill((unsigned)__VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int()) {
        int needed = __VERIFIER_nondet_int();
        if (needed)
            lock();
        if (checksum() == 7)
            fill(7);
        if (needed)
            unlock();
    }
    return 0;
}
