// verdict: holds
// A predicate that the program gives.
int nondet_int();
int main(void) {
  int i = 0, j = 0;
  __CPROVER_predicate(i == j);
  while (nondet_int()) {
    i++;
    j++;
  }
  __CPROVER_assert(i == j, "in step");
  return 0;
}
