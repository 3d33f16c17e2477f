// verdict: unknown(boolero_unmodelled_errno)
// Nobody follows who sets errno where functions are called through pointers.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
static int (*print)(const char *) = puts;

int main(void) {
    if (__VERIFIER_nondet_int() == 77)
        errno = 1;
    print("hello");
    assert(errno != 1234567);
    return 0;
}
