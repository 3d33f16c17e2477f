// verdict: holds
// What is the same wherever objects lie: order and distance within an object, equality, null, alignment, error numbers.
#include <assert.h>
#include <stdlib.h>
int a[8], b;
void *get(int fails) { return fails ? (void *)-12L : &b; }
int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = &a[2], *q = &a[5], fails = __VERIFIER_nondet_int();
    assert(q - p == 3 && p < q && p != &b && p != 0);
    assert(((long)p & 3) == 0);
    int *r = (int *)(long)p;
    assert(r == p && *r == 0);
    void *result = get(fails);
    if ((unsigned long)result >= (unsigned long)-4095L)
        assert(fails);
    else
        assert(!fails);
    char *m = malloc(4);
    assert(m <= m + 3);
    return 0;
}
