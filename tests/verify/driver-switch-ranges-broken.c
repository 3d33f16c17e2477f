// verdict: violated
// The last range is one too long.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int bank_of(int irq) {
  switch (irq) {
  case 0 ... 15: return 0;
  case 16 ... 31: return 1;
  case 32 ... 64: return 2;
  default: return -1;
  }
}

int main(void) {
  int irq = __VERIFIER_nondet_int();
  int bank = bank_of(irq);
  assert(bank != 2 || irq < 64);
  assert(bank >= 0 || irq < 0 || irq >= 64);
  return 0;
}
