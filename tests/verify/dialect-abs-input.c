// verdict: violated
// The absolute value of an input. This one is wrong.
int nondet_int(void);
int main(void) {
  int x = nondet_int();
  
  int y = __CPROVER_abs(x);
  __CPROVER_assert(y >= 0 && y != 77, "not negative");
  return 0;
}
