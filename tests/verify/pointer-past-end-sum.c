// verdict: unknown
// Two steps of two bytes each, in an object of four.
#include <assert.h>

char a[4], b[4];

int main(void) {
  char *p = a + 2;
  char *q = p + 2;
  assert(q != b);
  return 0;
}
