// verdict: unknown
// A pointer may be at the end of an object whose size is not known.
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 100 || n == 0) return 0;
  char *p = malloc(n), *q = malloc(4);
  if (!p || !q) return 0;
  p = p + 16;
  assert(p != q);
  return 0;
}
