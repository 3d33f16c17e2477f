// verdict: unknown
// args: --64
// A result without `&` may be in the register of an operand that is read later: nobody knows what the template does.
#include <assert.h>

int main(void) {
  int a, b, x = 1, y = 2;
  __asm__("movl %2,%0; movl %3,%1" : "=r"(a), "=r"(b) : "r"(x), "r"(y));
  assert(b == 2);
  return a == 1;
}
