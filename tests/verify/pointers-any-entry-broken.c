// args: --entry probe
// verdict: violated
// What lies there at first is anything.
#include <assert.h>
struct device {
  int state;
  int users;
};
static int probed;
int probe(struct device *device) {
  if (!device) return -1;
  probed = 1;
  assert(device->state == 2 || probed == 0);
  return 0;
}
