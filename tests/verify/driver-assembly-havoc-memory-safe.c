// verdict: holds
// args: --assembly havoc
// Assembly that clobbers memory does not change what nobody has given it.
#include <assert.h>

static unsigned buffer[2];
static int apart = 3;

int main(void) {
  int local = 4;
  __asm__ volatile("rep stosb" : : "D"(buffer), "a"(0), "c"(8) : "memory");
  assert(apart == 3 && local == 4);
  return 0;
}
