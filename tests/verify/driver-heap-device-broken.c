// verdict: violated
// A device on the heap that is still open when it goes.
#include <assert.h>
#include <stdlib.h>

struct device {
  int state;
  int opened;
};

static void *kzalloc(unsigned long size) { return calloc(1, size); }

static struct device *probe(void) {
  struct device *device = kzalloc(sizeof *device);
  if (!device) return 0;
  device->state = 1;
  return device;
}

static void remove(struct device *device) {
  assert(device->opened == 0);
  free(device);
}

int main(void) {
  struct device *device = probe();
  if (!device) return 1;
  device->opened++;
  
  remove(device);
  return 0;
}
