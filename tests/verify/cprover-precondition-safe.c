// verdict: holds
// Conditions before and after a function.
int nondet_int();
static int half(int x) {
  __CPROVER_precondition(x >= 0, "not negative");
  int result = x / 2;
  __CPROVER_postcondition(result <= x, "not larger");
  return result;
}
int main(void) {
  int x = nondet_int();
  if (x >= 0) half(x);
  return 0;
}
