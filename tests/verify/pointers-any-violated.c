// verdict: violated
// What lies at a pointer from outside is anything: that the pointer may be one of the program's does not hide the run.
#include <assert.h>
extern void *__VERIFIER_nondet_pointer(void);
int main(void) {
  int *p = __VERIFIER_nondet_pointer();
  if (p) assert(*p != 7);
  return 0;
}
