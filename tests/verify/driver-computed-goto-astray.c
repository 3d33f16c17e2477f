// verdict: unknown(a computed jump to no label of its function)
// The address of a label of another function is no place to jump to.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void *kept;

static void other(void) {
  kept = &&inside;
inside:
  return;
}

int main(void) {
  void *label = &&here;
  int steps = 0;
  other();
  if (__VERIFIER_nondet_int()) label = kept;
  goto *label;
here:
  assert(steps == 0);
  return 0;
}
