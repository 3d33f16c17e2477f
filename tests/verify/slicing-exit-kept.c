// verdict: violated
// property: main.assert.1 holds
// property: main.assert.2 violated
//
// `quit` does nothing but end the run, for some values: with it the first assertion holds, and the second does not.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int reports;

static void quit(int n) {
  reports++;
  if (n > 3)
    exit(1);
  reports--;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  quit(x);
  assert(x <= 3);
  assert(x != -5555);
  return 0;
}
