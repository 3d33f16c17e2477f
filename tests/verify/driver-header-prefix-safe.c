// verdict: holds
// A header in front of several kinds of packets, which its type tells apart.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { SHORT, LONG };
struct header { int type; };
struct short_packet { struct header header; int value; };
struct long_packet { struct header header; int skipped; int value; };

static int value_of(const struct header *header) {
  switch (header->type) {
  case LONG: return ((const struct long_packet *)header)->value;
  default: return ((const struct short_packet *)header)->value;
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  struct short_packet s = {{SHORT}, x};
  struct long_packet l = {{LONG}, 5, x};
  assert(value_of(&s.header) == x);
  assert(value_of(&l.header) == x);
  return 0;
}
