// verdict: holds
// An input of a function that is declared without a prototype, in an assumption that is used twice.
int nondet_int();
void bound(n) int n; { __CPROVER_assume(n >= 0 && n < 10); }
int main() {
  int n = nondet_int();
  bound(n);
  __CPROVER_assert(n * n <= 81, "square");
  return 0;
}
