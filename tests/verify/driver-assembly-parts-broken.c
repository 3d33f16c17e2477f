// verdict: violated
// args: --64
// The same, but `cpuid` is expected to leave its own registers alone.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static unsigned long word[2];

int main(void) {
  unsigned x = __VERIFIER_nondet_int(), y = 0xaaaaaaaa, a = 1, b, c, d, kept = x;
  __asm__("mov %w1,%w0" : "+r"(y) : "r"(x));
  assert(y >> 16 == 0xaaaa && (y & 0xffff) == (x & 0xffff));
  __asm__("lock; btsq $70,%0" : "+m"(word[0]));
  assert(word[0] == 64 && word[1] == 0);
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d), "+r"(kept));
  assert(kept == x && a == 1);
  return 0;
}
