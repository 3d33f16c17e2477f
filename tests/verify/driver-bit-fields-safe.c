// verdict: holds
// Bit fields keep to their bits.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct flags {
  unsigned busy : 1;
  unsigned mode : 3;
  unsigned error : 1;
};

int main(void) {
  struct flags flags = {0};
  flags.mode = __VERIFIER_nondet_uint() & 5;
  flags.busy = 1;
  assert(flags.busy == 1 && flags.error == 0 && flags.mode <= 5);
  return 0;
}
