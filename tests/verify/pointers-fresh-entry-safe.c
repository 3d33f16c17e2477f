// verdict: holds
// args: --entry probe --external-pointers fresh
// What is written there stays, and the program's own variables are apart.
#include <assert.h>
struct device {
  int state;
  int users;
};
static int probed;
int probe(struct device *device) {
  if (!device) return -1;
  device->state = 1;
  device->users = 0;
  assert(device->state == 1 && probed == 0);
  return 0;
}
