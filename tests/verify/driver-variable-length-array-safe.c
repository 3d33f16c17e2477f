// verdict: holds
// An array whose length is computed.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int length = __VERIFIER_nondet_int();
  if (length < 1 || length > 5) return 0;
  int values[length];
  for (int i = 0; i < length; i++) values[i] = i;
  assert(values[length - 1] == length - 1);
  return 0;
}
