// verdict: holds
// The absolute value.
int nondet_int();
int main(void) {
  int x = nondet_int();
  __CPROVER_assume(x > -100 && x < 100);
  __CPROVER_assert(__CPROVER_abs(x) < 100, "absolute value");
  return 0;
}
