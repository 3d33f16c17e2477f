// args: --entry probe
// verdict: holds
// What is accessed does not fit into what code elsewhere knows.
#include <assert.h>
unsigned short limit = 5;
int probe(int *value) {
  if (!value) return -1;
  limit = 6;
  *value = 4;
  assert(limit == 6);
  return 0;
}
