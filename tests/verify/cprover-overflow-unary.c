// verdict: violated
// Whether a negated number fits.
int nondet_int();
int main(void) {
  int x = nondet_int();
  __CPROVER_assert(__CPROVER_overflow_unary_minus(x) == (x == -2147483647), "only the least number");
  return 0;
}
