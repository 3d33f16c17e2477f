// verdict: unknown
// args: --undefined-functions pure
// The same in several small steps.
#include <assert.h>

extern char *dev_get(void);
extern int __VERIFIER_nondet_int(void);
static char own;

int main(void) {
  int is_own = __VERIFIER_nondet_int();
  char *p = is_own ? &own : dev_get();
  if (!is_own) return 0;
  unsigned long n = (unsigned long)p;
  n += 60000;
  n += 60000;
  n += 60000;
  assert(n < 0x600000000000UL);
  return 0;
}
