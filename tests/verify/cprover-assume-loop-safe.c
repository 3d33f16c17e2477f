// verdict: holds
// An assumption about the bound of a loop.
int nondet_int();
int main(void) {
  int i = 0, n = nondet_int();
  __CPROVER_assume(n >= 0 && n < 5);
  while (i < n) i++;
  __CPROVER_assert(i == n && i < 5, "as many rounds as were assumed");
  return 0;
}
