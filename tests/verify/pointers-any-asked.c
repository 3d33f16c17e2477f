// verdict: unknown(may lead to an object of the program)
// args: --undefined-functions pure --external-pointers any
// The user may ask for more than `pure` says of the pointers that functions return.
#include <assert.h>
extern int *find(void);
int x = 3;
int main(void) {
  int *p = find();
  if (p) *p = 4;
  assert(x == 3);
  return 0;
}
