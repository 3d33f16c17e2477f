// verdict: holds
//
// The loop affects nothing, and is sliced away; but it does not end where the assertion would fail. What was sliced away
// is put back when the violation does not replay.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), turns = 0;
  if (x > 2)
    while (x == x)
      turns++;
  assert(x <= 2);
  return 0;
}
