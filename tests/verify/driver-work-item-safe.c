// verdict: holds
// A work item inside its device, which the handler finds by `container_of`.
#include <assert.h>
#include <stddef.h>

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

extern int __VERIFIER_nondet_int(void);

struct work {
  void (*run)(struct work *);
  int pending;
};
struct device {
  int resets;
  struct work reset;
  int scheduled;
};

static void on_reset(struct work *work) { container_of(work, struct device, reset)->resets++; }

static void schedule(struct work *work) {
  container_of(work, struct device, reset)->scheduled++;
  work->pending = 1;
}

static void flush(struct work *work) {
  if (!work->pending) return;
  work->pending = 0;
  work->run(work);
}

int main(void) {
  struct device device = {0, {on_reset, 0}, 0};
  if (__VERIFIER_nondet_int()) schedule(&device.reset);
  flush(&device.reset);
  assert(device.resets == device.scheduled);
  assert(!device.reset.pending && device.reset.run == on_reset);
  return 0;
}
