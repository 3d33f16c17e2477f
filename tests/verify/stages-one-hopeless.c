// verdict: unknown
// property: main.assert.1 holds
// property: main.assert.2 unknown
// property: main.assert.3 holds
// property: main.assert.4 holds
// property: step.assert.1 holds
// args: --max-iterations 8
//
// The second assertion needs an invariant that Boolero does not find: y is x * (x + 1) / 2. It does not take the others with it.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int lock;

static void step(void) {
  assert(lock == 1);
  lock = 0;
}

int main(void) {
  unsigned x = 0, y = 0, turns = 0;
  int a = __VERIFIER_nondet_int(), b = a;
  while (__VERIFIER_nondet_int()) {
    lock = 1;
    x = x + 1;
    y = y + x;
    assert(lock == 1);
    step();
    if (x > 60000)
      break;
    turns++;
  }
  assert(y != 5);
  assert(a == b);
  assert(lock == 0);
  return 0;
}
