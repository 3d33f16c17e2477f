// verdict: violated
// A computed jump back over the end of a block: the variable begins again, and holds anything.
#include <assert.h>

int main(void) {
  void *next = &&again;
  int rounds = 0;
again: {
  int fresh;
  if (rounds == 0) fresh = 1;
  rounds++;
  if (rounds == 1) goto *next;
  assert(fresh == 1);
}
  return 0;
}
