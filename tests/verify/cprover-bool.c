// verdict: violated
// A type of one bit.
_Bool nondet_bool();
int main(void) {
  __CPROVER_bool a = nondet_bool(), b = 4;
  __CPROVER_assert(b == 4 && (a == 0 || a == 1), "one bit");
  return 0;
}
