// verdict: holds
// Error paths by goto give back what was taken, in reverse order.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int irq, clock, region;

static int request(int *resource) {
  if (__VERIFIER_nondet_int()) return -1;
  *resource = 1;
  return 0;
}

static void release(int *resource) {
  assert(*resource == 1);
  *resource = 0;
}

static int probe(void) {
  int error = request(&region);
  if (error) goto out;
  error = request(&clock);
  if (error) goto free_region;
  error = request(&irq);
  if (error) goto free_clock;
  return 0;

free_clock:
  release(&clock);
free_region:
  release(&region);
out:
  return error;
}

int main(void) {
  int error = probe();
  if (error) {
    assert(!irq && !clock && !region);
  } else {
    assert(irq && clock && region);
  }
  return 0;
}
