// verdict: violated
// A sum that is made only where it does not overflow. This one is wrong.
int nondet_int(void);
int main(void) {
  int a = nondet_int(), b = nondet_int();
  __CPROVER_assume(a > 0 && b > 0);
  if (__CPROVER_overflow_minus(a, b)) return 0;
  __CPROVER_assert((unsigned)a + (unsigned)b <= 0x7fffffffu, "fits");
  return 0;
}
