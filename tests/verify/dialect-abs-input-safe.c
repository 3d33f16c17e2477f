// verdict: holds
// The absolute value of an input.
int nondet_int(void);
int main(void) {
  int x = nondet_int();
  __CPROVER_assume(x > -1000);
  int y = __CPROVER_abs(x);
  __CPROVER_assert(y >= 0, "not negative");
  return 0;
}
