// verdict: holds
// args: --entry probe --external-pointers null
// The user says that pointers from outside are null: what the function gets, and what another one returns.
#include <assert.h>
extern void *__VERIFIER_nondet_pointer(void);
int probe(int *p) {
  int *q = __VERIFIER_nondet_pointer();
  assert(p == 0 && q == 0);
  return 0;
}
