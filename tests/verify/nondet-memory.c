// verdict: violated
// Memory that the environment fills holds anything.
#include <assert.h>
#include <stddef.h>
extern void __VERIFIER_nondet_memory(void *, size_t);
int main(void) {
    char b[2] = {0};
    __VERIFIER_nondet_memory(b, 2);
    assert(b[0] == 0);
    return 0;
}
