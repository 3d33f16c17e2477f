// verdict: violated
// The same state is changed once more.
#include <assert.h>
#include <stdlib.h>

struct private {
  int open;
  int errors;
};
struct device {
  void *private_data;
};

static int start(struct device *device) {
  struct private *private = device->private_data;
  private->open++;
  return private->open;
}

int main(void) {
  struct device device;
  struct private *private = malloc(sizeof *private);
  if (!private) return 1;
  private->open = 0;
  private->errors = 0;
  device.private_data = private;
  start(&device);
  start(&device);
  assert(private->open == 1);
  free(private);
  return 0;
}
