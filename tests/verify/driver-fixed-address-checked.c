// verdict: unknown
// args: --checks overflow
// Where faults are asked for, an access to a number is left as it is: nobody knows what lies there.
#include <assert.h>

#define STATUS (*(volatile unsigned int *)0xfee00010UL)

int main(void) {
  unsigned int first = STATUS & 1;
  assert(first == (STATUS & 1));
  return 0;
}
