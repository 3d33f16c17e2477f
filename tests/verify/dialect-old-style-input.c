// verdict: violated
// An input of a function that is declared without a prototype; the assumption is about another one.
int nondet_int();
void bound(n) int n; { __CPROVER_assume(n >= 0 && n < 10); }
int main() {
  int n = nondet_int();
  bound(nondet_int());
  __CPROVER_assert(n != 12, "not the one that was bounded");
  return 0;
}
