// verdict: unknown
// One byte after the other, a pointer gets to the end of its object, where another object may begin: whether the two addresses are equal depends
// on where objects lie.
#include <assert.h>

char a[4], b[4];

int main(void) {
  char *p = a;
  for (int i = 0; i < 4; i++) p++;
  assert(p != b);
  return 0;
}
