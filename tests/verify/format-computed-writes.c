// verdict: unknown(%n)
// One of the formats writes.
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 1;
    const char *format = __VERIFIER_nondet_int() ? "%p\n" : "abc%n\n";
    printf(format, &x);
    assert(x == 1);
    return 0;
}
