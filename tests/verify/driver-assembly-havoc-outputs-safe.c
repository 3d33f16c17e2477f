// verdict: holds
// args: --assembly havoc
// Assembly that does not say that it clobbers memory changes nothing but its outputs.
#include <assert.h>

unsigned in_memory = 1;
unsigned other = 1;

int main(void) {
  unsigned in_register;
  __asm__ volatile("xgetbv\n\tmovl %%edx, %1" : "=a"(in_register), "=m"(in_memory) : "c"(0) : "edx");
  assert(other == 1);
  return 0;
}
