// verdict: violated
// Whether a difference fits.
int nondet_int();
int main(void) {
  int x = nondet_int();
  if (!__CPROVER_overflow_minus(x, 1)) {
    __CPROVER_assert(x - 1 > x, "smaller");
  }
  return 0;
}
