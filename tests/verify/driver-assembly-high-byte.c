// verdict: unknown
// args: --64
// `%h` is the second byte of a register, not the lowest: it is not understood.
#include <assert.h>

int main(void) {
  unsigned x = 0x1234, y = 0;
  __asm__("movb %h1,%b0" : "+Q"(y) : "Q"(x));
  assert(y == 0x34);
  return 0;
}
