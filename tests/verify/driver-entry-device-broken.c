// args: --entry probe
// verdict: violated
// A driver's entry gets its device from a bus that nobody has seen. What is enabled is the wrong word.
#include <assert.h>
struct device { int irq; int enabled; struct device *parent; };
static int claimed;
int verbose;
static int claim(int irq) {
  if (claimed) return -16;
  claimed = irq + 1;
  return 0;
}
int probe(struct device *device) {
  if (!device) return -19;
  int irq = device->irq;
  if (irq < 0 || irq > 15) return -19;
  verbose = 1;
  if (claim(irq)) return -16;
  device->irq = 1;
  assert(claimed == irq + 1 && verbose == 1);
  assert(device->enabled == 1);
  return 0;
}
