// verdict: violated
// A device may become ready while it is polled: each read of a register gives something else.
#include <assert.h>

#define STATUS (*(volatile unsigned int *)0xfee00010UL)

int main(void) {
  int polls = 0;
  while (!(STATUS & 1)) {
    if (polls > 3) break;
    polls++;
  }
  assert(polls == 0 || polls == 4);
  return 0;
}
