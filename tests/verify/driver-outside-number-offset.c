// verdict: unknown
// args: --undefined-functions pure
// A pointer from outside or to an own object: far away from the own object it must not be taken for a number from outside.
#include <assert.h>

extern char *dev_get(void);
extern int __VERIFIER_nondet_int(void);
static char own;

int main(void) {
  int is_own = __VERIFIER_nondet_int();
  char *p = is_own ? &own : dev_get();
  if (!is_own) return 0;
  assert(p + 10000000 < (char *)0x600000000000UL);
  return 0;
}
