// verdict: violated
// Two threads by labels, of which one waits for the other.
int a, b;

void one(void) { a = 1; }
void two(void) {
  if (a) b = 1;
}

int main(void) {
__CPROVER_ASYNC_1:
  one();
__CPROVER_ASYNC_2:
  two();
  __CPROVER_atomic_begin();
  __CPROVER_assert(!a || b, "b comes after a");
  __CPROVER_atomic_end();
  return 0;
}
