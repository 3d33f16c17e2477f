// verdict: violated
// A loop over an input that is assumed to be small. This one is wrong.
int nondet_int(void);
int main(void) {
  int n = nondet_int(), sum = 0;
  __CPROVER_assume(0 <= n && n <= 3);
  for (int i = 0; i < n; i++) sum += 2;
  __CPROVER_assert(sum == 2 * n - (n == 3), "twice");
  return 0;
}
