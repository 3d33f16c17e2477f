// verdict: holds
// A thread that waits by an assumption.
int ready, data;

void producer(void) {
  data = 7;
  ready = 1;
}

int main(void) {
__CPROVER_ASYNC_1:
  producer();
  __CPROVER_assume(ready);
  __CPROVER_assert(data == 7, "what was sent");
  return 0;
}
