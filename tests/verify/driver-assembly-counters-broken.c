// verdict: violated
// without random runs: violated
// args: --64
// The same, and the last sum is not negative.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

typedef struct {
    int counter;
} atomic_t;

static inline void atomic_inc(atomic_t *v) {
    __asm__ __volatile__("lock; incl %0" : "+m"(v->counter));
}

static inline void atomic_add(int i, atomic_t *v) {
    __asm__ __volatile__(".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; addl %1,%0" : "+m"(v->counter) : "ir"(i));
}

static inline int xadd(atomic_t *v, int i) {
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(i), "+m"(v->counter) : : "memory");
    return i;
}

static inline int atomic_dec_and_test(atomic_t *v) {
    unsigned char c;
    __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(v->counter), "=qm"(c) : : "memory");
    return c != 0;
}

static inline int atomic_add_negative(int i, atomic_t *v) {
    unsigned char c;
    __asm__ __volatile__("lock; addl %2,%0; sets %1" : "+m"(v->counter), "=qm"(c) : "ir"(i) : "memory");
    return c;
}

atomic_t count;

int main(void) {
    int x = __VERIFIER_nondet_int() & 255;
    count.counter = x;
    atomic_inc(&count);
    atomic_add(4, &count);
    assert(xadd(&count, 2) == x + 5);
    assert(count.counter == x + 7);
    count.counter = 2;
    assert(!atomic_dec_and_test(&count));
    assert(atomic_dec_and_test(&count) && count.counter == 0);
    assert(!atomic_add_negative(3, &count));
    assert(atomic_add_negative(-3, &count));
    return 0;
}
