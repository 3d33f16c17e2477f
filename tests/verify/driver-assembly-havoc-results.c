// verdict: violated
// args: --assembly havoc
// Two outputs in registers, by a macro that is used twice in a line.
#include <assert.h>

#define READ(low, high) __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(1))
int main(void) {
  unsigned a, b, c, d;
  READ(a, b); READ(c, d);
  assert(!(a == 1 && b == 2 && c == 3 && d == 4));
  return 0;
}
