// verdict: violated
// One of the drivers that can be chosen is not like the others.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct driver {
  const char *name;
  int (*speed)(void);
};
static int slow(void) { return 10; }
static int fast(void) { return 100; }
static int none(void) { return 0; }

static const struct driver drivers[] = {
    {"slow", slow},
    {"fast", fast},
    {"none", none},
};

int main(void) {
  int number = __VERIFIER_nondet_int();
  if (number < 0 || number >= 3) return 0;
  assert(drivers[number].speed() >= 10);
  return 0;
}
