// verdict: holds
// args: --64
// `xchg` and `lock; cmpxchg`.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static inline int xchg(volatile int *p, int v) {
    __asm__ __volatile__("xchgl %0,%1" : "=r"(v), "+m"(*p) : "0"(v) : "memory");
    return v;
}

static inline int cmpxchg(volatile int *p, int old, int new) {
    int prev;
    __asm__ __volatile__("lock; cmpxchgl %2,%1" : "=a"(prev), "+m"(*p) : "r"(new), "0"(old) : "memory");
    return prev;
}

int lock;

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(xchg(&lock, x) == 0);
    assert(xchg(&lock, 7) == x);
    assert(cmpxchg(&lock, 6, 9) == 7 && lock == 7);
    assert(cmpxchg(&lock, 7, 9) == 7 && lock == 9);
    return 0;
}
