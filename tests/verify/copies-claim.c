// verdict: violated
// A function with an assertion is not copied: the second call violates the one property.
#include <assert.h>
static void check(int *p) { assert(*p > 0); }
static void twice(int *p, int *q) { check(p); check(q); }
int main(void) { int a = 1, b = 0; twice(&a, &a); twice(&a, &b); }
