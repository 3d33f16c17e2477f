// verdict: holds
// A pointer from outside that is only compared may be any.
#include <assert.h>
extern void *__VERIFIER_nondet_pointer(void);
static int x = 3;
int main(void) {
  int *p = __VERIFIER_nondet_pointer();
  int found = p != 0;
  assert(x == 3 && (found || !p));
  return 0;
}
