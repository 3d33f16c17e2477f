// verdict: unknown(unsupported)
//
// `noise` cannot affect the assertion, as far as it is modelled; but nobody knows what `mystery` does.
#include <assert.h>
void mystery(void);
static int noisy;

static void noise(int n) {
  noisy = n;
  if (noisy > 2)
    mystery();
}

int main(void) {
  int x = 4, y = x;
  noise(x);
  assert(x == y);
  return 0;
}
