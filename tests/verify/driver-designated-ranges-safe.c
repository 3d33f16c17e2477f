// verdict: holds
// Initialisers of ranges.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum state { IDLE, BUSY, DEAD };
static const enum state next[8] = {[0 ... 3] = BUSY, [4 ... 6] = IDLE, [7] = IDLE};

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 7) return 0;
  assert(next[i] != DEAD);
  return 0;
}
