// verdict: unknown(may lead to an object of the program)
// stderr: `--external-pointers fresh`
// A pointer from outside may be that of a variable of the program.
#include <assert.h>
extern void *__VERIFIER_nondet_pointer(void);
int x = 3;
int main(void) {
  int *p = __VERIFIER_nondet_pointer();
  if (p) {
    *p = 4;
    assert(x == 3);
  }
  return 0;
}
