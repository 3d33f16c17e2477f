// verdict: violated
// A function that is called by name and through a pointer: its address is that of the original.
#include <assert.h>

static int last;
static void keep(int *p) { last = *p; }
static void apply(void (*f)(int *), int *p) { f(p); }

int main(void) {
  int a = 1, b = 2;
  keep(&a);
  void (*f)(int *) = keep;
  assert(f == keep);
  apply(f, &b);
  assert(last == 2);
  apply(keep, &a);
  assert(last != 1);
  return 0;
}
