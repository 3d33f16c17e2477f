// verdict: violated
// without random runs: violated
// args: --entry probe --external-pointers fresh
// What the function to start with gets leads to memory of its own, which holds anything.
#include <assert.h>
struct device {
  int users;
  int state;
};
int probe(struct device *device) {
  if (!device || !device->users) return -1;
  assert(device->state != 5);
  return 0;
}
