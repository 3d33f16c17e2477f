// verdict: unknown
// args: --undefined-functions pure
// The same with the sum of the number of an address and an input.
#include <assert.h>

extern char *dev_get(void);
extern int __VERIFIER_nondet_int(void);
static char own;

int main(void) {
  int is_own = __VERIFIER_nondet_int();
  unsigned i = __VERIFIER_nondet_int();
  char *p = is_own ? &own : dev_get();
  if (!is_own || i != 10000000) return 0;
  unsigned long n = (unsigned long)p + i;
  assert(n < 0x600000000000UL);
  return 0;
}
