// verdict: violated
// Atomic sections, in a thread that a label starts.
int counter;

static void add(void) {
  int seen = counter;
  counter = seen - 1;
}

int main(void) {
__CPROVER_ASYNC_1:
  add();
  __CPROVER_atomic_begin();
  int before = counter;
  counter = before + 1;
  __CPROVER_assert(counter == before + 1, "nobody comes between");
  __CPROVER_atomic_end();
  __CPROVER_assert(counter >= 1, "nothing is lost");
  return 0;
}
