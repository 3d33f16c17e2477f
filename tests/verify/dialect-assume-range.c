// verdict: violated
// An assumption about two inputs together. This one is wrong.
unsigned nondet_unsigned(void);
int main(void) {
  unsigned x = nondet_unsigned(), y = nondet_unsigned();
  __CPROVER_assume(x < 100 && y < 4000000000u);
  __CPROVER_assert(x + y < 200, "sum");
  return 0;
}
