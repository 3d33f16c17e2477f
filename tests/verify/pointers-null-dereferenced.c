// verdict: violated
// args: --checks null --external-pointers null
// An access through such a pointer is a fault.
extern void *__VERIFIER_nondet_pointer(void);
int main(void) {
  int *p = __VERIFIER_nondet_pointer();
  return *p;
}
