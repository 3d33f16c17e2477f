// verdict: violated
// The wrong member: another one is written.
#include <assert.h>
#include <stddef.h>

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

struct work {
  int pending;
};
struct device {
  int state;
  int users;
  struct work work;
};

static struct device device;

static void handler(struct work *work) {
  struct device *owner = container_of(work, struct device, users);
  owner->state = 2;
}

int main(void) {
  device.work.pending = 1;
  handler(&device.work);
  assert(device.state == 2 && device.users == 0 && device.work.pending == 1);
  return 0;
}
