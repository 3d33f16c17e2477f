// args: --entry probe
// verdict: violated
// Two pointers from outside may lead to the same device.
#include <assert.h>
struct device { int state; int users; };
int probe(struct device *one, struct device *other) {
  if (!one || !other) return -1;
  one->state = 1;
  other->state = 2;
  assert(one->state == 1);
  return 0;
}
