// verdict: holds
// A thread hands over a number by a flag.
int data, ready;
void produce(void) {
  data = 42;
  ready = 1;
}
int main(void) {
__CPROVER_ASYNC_1: produce();
  if (ready) __CPROVER_assert(data == 42, "written before");
  return 0;
}
