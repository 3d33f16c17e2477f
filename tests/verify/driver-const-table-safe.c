// verdict: unknown
// A large constant table.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static const unsigned char table[256] = {
    [0] = 1, [1] = 2, [2] = 4, [3] = 8, [16] = 9, [64 ... 127] = 3, [200] = 5,
};

int main(void) {
  unsigned index = __VERIFIER_nondet_uint();
  if (index < 256) {
    assert(table[index] <= 9);
  }
  return 0;
}
