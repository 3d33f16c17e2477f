// verdict: violated
// Two accounts, and a transfer that others can look into.
int a = 5, b = 5;
void move(void) {
  a -= 1;
  b += 1;
}
int main(void) {
__CPROVER_ASYNC_1: move();
  __CPROVER_atomic_begin();
  __CPROVER_assert(a + b == 10, "nothing is lost");
  __CPROVER_atomic_end();
  return 0;
}
