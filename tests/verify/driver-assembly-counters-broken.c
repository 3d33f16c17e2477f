// verdict: violated
// without random runs: violated
// args: --64
// The last sum is not negative.
#include <assert.h>

typedef struct {
    int counter;
} atomic_t;

static inline int atomic_add_negative(int i, atomic_t *v) {
    unsigned char c;
    __asm__ __volatile__("lock; addl %2,%0; sets %1" : "+m"(v->counter), "=qm"(c) : "ir"(i) : "memory");
    return c;
}

atomic_t count;

int main(void) {
    assert(!atomic_add_negative(3, &count));
    assert(atomic_add_negative(-3, &count));
    return 0;
}
