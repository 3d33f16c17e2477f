// verdict: unknown
// A macro with variables of its own evaluates its arguments once.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define min(a, b)        \
  ({                     \
    __typeof__(a) _a = a; \
    __typeof__(b) _b = b; \
    _a < _b ? _a : _b;   \
  })
#define min_twice(a, b) ((a) < (b) ? (a) : (b))

static int calls;
static int next(void) {
  calls++;
  return __VERIFIER_nondet_int();
}

int main(void) {
  int least = min(next(), 10);
  assert(least <= 10 && calls == 1);
  return 0;
}
