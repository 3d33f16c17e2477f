// verdict: holds
// A table of identifiers that ends with an empty entry.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct id {
  unsigned short vendor, device;
  int data;
};

static const struct id ids[] = {{0x8086, 0x1229, 1}, {0x8086, 0x2449, 2}, {0x10ec, 0x8139, 3}, {0x10ec, 0x8139, 4}, {0}};

static int match(unsigned short vendor, unsigned short device) {
  int found = 0;
  for (const struct id *id = ids; id->vendor; id++)
    if (id->vendor == vendor && id->device == device) return id->data;
  return found;
}

int main(void) {
  unsigned short device = __VERIFIER_nondet_int();
  int found = match(0x10ec, device);
  assert(found == 0 || device == 0x8139);
  assert(found != 4);
  return 0;
}
