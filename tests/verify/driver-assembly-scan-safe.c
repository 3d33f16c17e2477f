// verdict: holds
// args: --64
// `bsf` and `bsr`, with `cmov` for a word without bits.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int first_of(unsigned word) {
  int bit;
  __asm__("bsfl %1,%0\n\tcmovzl %2,%0" : "=&r"(bit) : "rm"(word), "rm"(-1));
  return bit;  // -1 if there is none
}

static int last_of(unsigned word) {
  int bit;
  __asm__("bsrl %1,%0" : "=r"(bit) : "rm"(word));
  return bit;
}

int main(void) {
  unsigned word = __VERIFIER_nondet_int() & 15;
  int first = first_of(word);
  if (word == 0) {
    assert(first == -1);
    return 0;
  }
  assert(first >= 0 && first < 4);
  assert(last_of(8) == 3);
  return 0;
}
