// verdict: violated
// without random runs: violated
// A function that is called twice allocates twice: the objects are different ones.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int *make(int value) {
    int *p = malloc(sizeof *p);
    *p = value;
    return p;
}

int main(void) {
    int in = __VERIFIER_nondet_int();
    int *a = make(in), *b = make(2);
    assert(*a == 2);
    return *b;
}
