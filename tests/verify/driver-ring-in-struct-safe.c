// verdict: holds
// A ring inside the structure of a device.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
#define SIZE 4

struct device {
  int up;
  unsigned head, tail;
  int ring[SIZE];
};
static struct device device;

int main(void) {
  device.up = 1;
  while (__VERIFIER_nondet_int()) {
    if (device.head - device.tail < SIZE) {
      device.ring[device.head & (SIZE - 1)] = 7;
      device.head++;
    } else {
      device.tail++;
    }
    assert(device.up == 1 && device.head - device.tail <= SIZE);
  }
  return 0;
}
