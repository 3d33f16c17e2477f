// verdict: violated
// args: --assembly havoc
// Outputs of assembly that is not understood are anything, one in a register and one in memory.
#include <assert.h>

static unsigned in_memory = 1;

int main(void) {
  unsigned in_register;
  __asm__ volatile("xgetbv\n\tmovl %%edx, %1" : "=a"(in_register), "=m"(in_memory) : "c"(0) : "edx");
  assert(in_register != 7 || in_memory != 9);
  return 0;
}
