// verdict: holds
// args: --external-pointers fresh
// The user says that pointers from outside lead to none of the program's objects.
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
