// verdict: violated
// The check is for a wider type than that of the result.
#include <assert.h>

typedef unsigned long long size_type;
extern unsigned __VERIFIER_nondet_uint(void);

static int total_of(unsigned count, unsigned long long size, unsigned *result) {
  size_type total;
  if (__builtin_mul_overflow(count, size, &total)) return -1;
  *result = total;
  return 0;
}

int main(void) {
  unsigned count = __VERIFIER_nondet_uint(), total;
  if (total_of(count, 8, &total)) return 0;
  assert(count <= 0x1fffffff);
  return 0;
}
