// verdict: violated
// An array that is read at an assumed index.
int nondet_int();
int main(void) {
  char text[4] = "abc";
  int i = nondet_int();
  __CPROVER_assume(i >= 0 && i < 4);
  __CPROVER_assert(text[i] != 0, "no end yet");
  return 0;
}
