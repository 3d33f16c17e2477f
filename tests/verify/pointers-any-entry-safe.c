// args: --entry probe
// verdict: holds
// What the function to start with gets comes from outside, where nobody knows the address of a `static` variable.
#include <assert.h>
struct device {
  int state;
  int users;
};
static int probed;
int probe(struct device *device) {
  if (!device) return -1;
  probed = 1;
  device->state = 2;
  device->users = 0;
  assert(device->state == 2 && probed == 1);
  return 0;
}
