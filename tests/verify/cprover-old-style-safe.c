// verdict: holds
// Definitions in the old style, and assert without its header.
int nondet_int();
int limit(value, most)
int value, most;
{
  if (value > most) return most;
  return value;
}

main() {
  int x = limit(nondet_int(), 10);
  assert(x <= 10);
}
