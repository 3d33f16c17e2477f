// verdict: violated
// Another mode.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

union control {
  unsigned word;
  struct {
    unsigned enable : 1;
    unsigned mode : 2;
    unsigned reserved : 29;
  } bits;
};

int main(void) {
  union control control;
  control.word = __VERIFIER_nondet_uint();
  control.bits.enable = 1;
  control.bits.mode = 3;
  assert((control.word & 7) == 5);
  return 0;
}
