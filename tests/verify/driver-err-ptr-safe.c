// verdict: holds
// An error as a pointer.
#include <assert.h>

#define MAX_ERRNO 4095
#define IS_ERR(pointer) ((unsigned long)(pointer) >= (unsigned long)-MAX_ERRNO)
#define ERR_PTR(error) ((void *)(long)(error))
#define PTR_ERR(pointer) ((long)(pointer))

extern int __VERIFIER_nondet_int(void);
struct clock {
  int rate;
};
static struct clock clock;

static struct clock *clk_get(void) {
  if (__VERIFIER_nondet_int()) return ERR_PTR(-19);
  return &clock;
}

int main(void) {
  struct clock *got = clk_get();
  if (IS_ERR(got)) {
    assert(PTR_ERR(got) == -19);
    return 1;
  }
  assert(got == &clock);
  return 0;
}
