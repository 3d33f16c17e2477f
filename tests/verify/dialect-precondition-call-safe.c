// verdict: holds
// A precondition of a function.
unsigned char nondet_unsigned_char(void);
int half(int even) {
  __CPROVER_precondition(even % 2 == 0, "even");
  return even / 2;
}
int main(void) {
  int n = nondet_unsigned_char();
  n *= 2;
  __CPROVER_assert(half(n) <= n, "half");
  return 0;
}
