// verdict: violated
// Functions that call each other are not copied.
#include <assert.h>
static int depth;
static int odd(int *n);
static int even(int *n) { if (*n == 0) return 1; --*n; return odd(n); }
static int odd(int *n) { depth++; if (*n == 0) return 0; --*n; return even(n); }
int main(void) { int n = 5; assert(even(&n) == 0); assert(depth == 2);}
