// args: --entry probe
// verdict: unknown(may lead to `buffer`)
// A buffer of characters may hold a device.
#include <assert.h>
struct device { int state; int users; };
char buffer[64];
int probe(struct device *device) {
  if (!device) return -1;
  buffer[0] = 1;
  device->state = 2;
  assert(buffer[0] == 1);
  return 0;
}
