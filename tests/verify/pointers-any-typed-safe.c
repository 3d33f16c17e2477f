// args: --entry probe
// verdict: holds
// Code elsewhere knows `debug`, but it is no device, and has none in it.
#include <assert.h>
struct device { int state; int users; };
int debug;
int probe(struct device *device) {
  if (!device) return -1;
  debug = 1;
  device->state = 2;
  device->users = 0;
  assert(debug == 1);
  return 0;
}
