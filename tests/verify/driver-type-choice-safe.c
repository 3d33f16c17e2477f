// verdict: holds
// `min` with a check of types, and what `__builtin_choose_expr` and `__builtin_types_compatible_p` choose.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define min(type, a, b) ({ type left = (a); type right = (b); left < right ? left : right; })
#define is_int(x) __builtin_types_compatible_p(typeof(x), int)
#define width(x) __builtin_choose_expr(is_int(x), 32, 0)

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(width(x) == 32 && width((char)x) == 0);
  assert((int)min(int, x, 10) <= 10);
  assert(x >= 10 || (int)min(int, x, 10) == x);
  return 0;
}
