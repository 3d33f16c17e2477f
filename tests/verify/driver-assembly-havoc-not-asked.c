// verdict: unknown(inline assembly)
// stderr: `--assembly havoc`
// Assembly that is not understood and writes memory has no verdict unless the user says what it does.
#include <assert.h>

static unsigned in_memory = 1;

int main(void) {
  __asm__ volatile("xgetbv\n\tmovl %%edx, %0" : "=m"(in_memory) : "c"(0) : "eax", "edx");
  assert(in_memory == 1);
  return 0;
}
