// verdict: holds
//
// The condition in `check` decides whether the assertion is reached: it stays, and so does what it reads. The
// statistics affect nothing.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int state, statistics[16], calls;

static void count(int event) {
  int i;
  for (i = 0; i < 16; i++)
    if (i == (event & 15))
      statistics[i]++;
  calls++;
}

static void check(int value) {
  count(value);
  if (state == 2)
    assert(value > 10);
}

int main(void) {
  int value = __VERIFIER_nondet_int();
  state = value > 10 ? 2 : 1;
  count(state);
  check(value);
  return 0;
}
