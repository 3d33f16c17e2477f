// verdict: violated
// args: --assembly havoc
// Assembly that clobbers memory may change what its operands lead to, and variables that other files can name.
#include <assert.h>

struct device {
  unsigned control;
  unsigned status;
};

static struct device device;
int global = 3;

int main(void) {
  __asm__ volatile("rep movsb" : : "D"(&device), "S"(&device), "c"(8) : "memory");
  assert(device.status != 5 || global != 4);
  return 0;
}
