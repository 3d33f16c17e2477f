// verdict: violated
// The copy begins one member too early.
#include <assert.h>
#include <stddef.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct state {
  int a;
  short b;
  unsigned char c[2];
};

int main(void) {
  int x = __VERIFIER_nondet_int();
  struct state now = {1, 2, {3, 4}}, old = {x, 5, {6, 7}};
  memcpy(&now.a, &old.a, sizeof now);
  assert(now.a == 1);
  assert(now.b == 5 && now.c[0] == 6 && now.c[1] == 7);
  return 0;
}
