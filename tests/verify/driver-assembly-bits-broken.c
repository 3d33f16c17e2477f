// verdict: violated
// without random runs: violated
// args: --64
// The same, and the word is the wrong one.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static inline int test_and_set_bit(long nr, volatile unsigned long *addr) {
    int oldbit;
    __asm__ __volatile__("lock; btsq %2,%1\n\tsbbl %0,%0" : "=r"(oldbit), "+m"(*addr) : "r"(nr) : "memory");
    return oldbit;
}

static inline void clear_bit(long nr, volatile unsigned long *addr) {
    __asm__ __volatile__("lock; btrq %1,%0" : "+m"(*addr) : "r"(nr));
}

static inline int test_bit(long nr, const unsigned long *addr) {
    int oldbit;
    __asm__ __volatile__("btq %2,%1\n\tsbbl %0,%0" : "=r"(oldbit) : "m"(*addr), "r"(nr));
    return oldbit;
}

unsigned long bits;

int main(void) {
    unsigned long x = __VERIFIER_nondet_int();
    bits = x & 15;
    assert(!test_and_set_bit(5, &bits));
    assert(test_and_set_bit(5, &bits) && test_bit(5, &bits));
    assert(bits == (x & 15) + 5);
    clear_bit(5, &bits);
    assert(bits == (x & 15));
    return 0;
}
