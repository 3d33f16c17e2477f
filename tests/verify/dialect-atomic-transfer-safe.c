// verdict: holds
// Two accounts, and a transfer in an atomic section.
int a = 5, b = 5;
void move(void) {
  __CPROVER_atomic_begin();
  a -= 1;
  b += 1;
  __CPROVER_atomic_end();
}
int main(void) {
__CPROVER_ASYNC_1: move();
  __CPROVER_atomic_begin();
  __CPROVER_assert(a + b == 10, "nothing is lost");
  __CPROVER_atomic_end();
  return 0;
}
