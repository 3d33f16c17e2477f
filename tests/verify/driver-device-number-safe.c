// verdict: holds
// args: --checks bounds
// An array indexed by the number of a device.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
#define DEVICES 4

static int opened[DEVICES];

static int open(int minor) {
  if (minor < 0 || minor >= DEVICES) return -1;
  opened[minor] = 1;
  return 0;
}

int main(void) {
  int minor = __VERIFIER_nondet_int();
  if (open(minor) == 0) {
    assert(minor < DEVICES && opened[minor] == 1);
  }
  return 0;
}
