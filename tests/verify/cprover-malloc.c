// verdict: violated
// An assumption about memory.
#include <stdlib.h>
int nondet_int();
int main(void) {
  int *p = malloc(sizeof(int));
  if (!p) return 0;
  *p = nondet_int();
  __CPROVER_assume(*p > -1);
  __CPROVER_assert(*p != 0, "assumed of the heap");
  free(p);
  return 0;
}
