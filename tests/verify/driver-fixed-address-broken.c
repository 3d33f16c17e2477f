// verdict: violated
// Registers of a device at fixed addresses: the status is read twice, and may have changed in between.
#include <assert.h>

#define REGISTERS 0xfee00000UL
#define STATUS (*(volatile unsigned int *)(REGISTERS + 0x10))
#define DATA (*(volatile unsigned int *)(REGISTERS + 0x14))
#define CONTROL (*(volatile unsigned int *)(REGISTERS + 0x18))
#define READY 1u
#define LENGTH 4u

static unsigned int last, received;

static int receive(void) {
  unsigned int status = STATUS;
  if (!(status & READY)) return -1;
  last = DATA & 0xff;
  received++;
  CONTROL = READY;
  assert(STATUS & READY);
  return 0;
}

int main(void) {
  int polls = 0;
  while (receive() != 0) {
    if (polls > 3) break;
    polls++;
  }
  assert(last <= 255 && received <= 1);
  return 0;
}
