// verdict: holds
// Members of a structure lie in it: no other object is there.
#include <assert.h>

struct device {
  int state;
  int list[2];
};
static struct device device, other;

int main(void) {
  int *member = &device.list[1];
  assert(member != &other.state);
  assert((char *)member - 8 != (char *)&other);
  return 0;
}
