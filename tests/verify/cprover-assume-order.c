// verdict: violated
// An assumption counts from where it stands.
int nondet_int();
int main(void) {
  int x = nondet_int();
  __CPROVER_assert(x != 0, "x is not zero");
  __CPROVER_assume(x > 3);
  return 0;
}
