// args: --entry probe
// verdict: unknown(may lead to `bus`)
// A device is a member of what code elsewhere knows.
#include <assert.h>
struct device { int state; int users; };
struct bus { int number; struct device first; } bus;
int probe(struct device *device) {
  if (!device) return -1;
  bus.first.state = 1;
  device->state = 2;
  assert(bus.first.state == 1);
  return 0;
}
