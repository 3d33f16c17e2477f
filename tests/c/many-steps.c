// A program without choices that fails after more steps than a random run has.
#include <assert.h>

int main(void) {
  unsigned i = 0;
  while (i < 20000)
    i++;
  assert(i != 20000);
}
