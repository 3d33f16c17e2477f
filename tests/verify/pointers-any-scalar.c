// args: --entry probe
// verdict: unknown(may lead to `limit`)
// A pointer to a number may be one to any number of that size which code elsewhere knows.
#include <assert.h>
unsigned limit = 5;
int probe(int *value) {
  if (!value) return -1;
  *value = 4;
  assert(limit == 5);
  return 0;
}
