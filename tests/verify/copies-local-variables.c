// verdict: unknown
// Addresses of a local variable that outlive two activations: whether they are equal is not known, though each activation is one of another copy.
#include <assert.h>
static int *kept;
static int sum(int *p) { int local; if (kept) { } local = *p; kept = &local; return local; }
int main(void) { int a = 1, b = 2; sum(&a); int *one = kept; sum(&b); int *two = kept; assert(one != two); }
