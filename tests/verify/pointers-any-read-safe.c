// args: --entry probe
// verdict: holds
// Nobody writes: it does not matter what the pointer leads to.
#include <assert.h>
unsigned limit = 5;
int probe(const int *value) {
  if (!value) return -1;
  int now = *value;
  assert(limit == 5 && *value == now);
  return 0;
}
