// verdict: violated
// A failed open is told as a success.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct module {
  int references;
};
struct driver {
  struct module *owner;
  int (*open)(struct driver *);
  void (*close)(struct driver *);
};

static struct module module;

static int try_module_get(struct module *m) {
  if (__VERIFIER_nondet_int()) return 0;
  m->references++;
  return 1;
}
static void module_put(struct module *m) {
  assert(m->references > 0);
  m->references--;
}

static int open(struct driver *driver) {
  if (!try_module_get(driver->owner)) return -1;
  if (__VERIFIER_nondet_int()) {
    module_put(driver->owner);
    return 0;
  }
  return 0;
}
static void close(struct driver *driver) { module_put(driver->owner); }

static struct driver driver = {.owner = &module, .open = open, .close = close};

int main(void) {
  if (driver.open(&driver) == 0) driver.close(&driver);
  assert(module.references == 0);
  return 0;
}
