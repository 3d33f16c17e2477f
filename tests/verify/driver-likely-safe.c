// verdict: holds
// What is likely has no influence.
#include <assert.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define BUG_ON(condition) do { if (unlikely(condition)) bug(); } while (0)

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void bug(void) { reach_error(); }

int main(void) {
  int length = __VERIFIER_nondet_int();
  if (likely(length >= 0 && length < 64)) {
    int rest = 64 - length;
    BUG_ON(rest <= 0);
  }
  return 0;
}
