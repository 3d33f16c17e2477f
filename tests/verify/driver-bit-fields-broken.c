// verdict: violated
// A bit field that gets more than it should.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct flags {
  unsigned busy : 1;
  unsigned mode : 3;
  unsigned error : 1;
};

int main(void) {
  struct flags flags = {0};
  flags.mode = __VERIFIER_nondet_uint() & 7;
  flags.busy = 1;
  assert(flags.busy == 1 && flags.error == 0 && flags.mode <= 5);
  return 0;
}
