// verdict: violated
// Inputs have the types that they are declared with.
unsigned char nondet_uchar();
short nondet_short();
unsigned long nondet_ulong();
int main(void) {
  unsigned char c = nondet_uchar();
  short s = nondet_short();
  unsigned long l = nondet_ulong();
  __CPROVER_assert(c <= 254 && s >= -32768 && l + 1 > 0 | l == -1ul, "as wide as their types");
  return 0;
}
