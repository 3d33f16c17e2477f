// verdict: holds
// args: --64
// Barriers, an empty template that moves an operand, `mov`, and a clock.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static inline void barrier(void) {
    __asm__ __volatile__("" : : : "memory");
}

static inline void mb(void) {
    __asm__ __volatile__("lock; addl $0,0(%%rsp)" : : : "memory");
}

static inline int hidden(int x) {
    __asm__("" : "=r"(x) : "0"(x));
    return x;
}

static inline int moved(int x) {
    int y;
    __asm__("movl %1, %0" : "=r"(y) : "r"(x));
    return y;
}

static inline unsigned long long rdtsc(void) {
    unsigned low, high;
    __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long long)high << 32 | low;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    barrier();
    mb();
    assert(hidden(x) == x && moved(x) == x);
    unsigned long long now = rdtsc();
    assert(now == 5 || now != 5);
    return 0;
}
