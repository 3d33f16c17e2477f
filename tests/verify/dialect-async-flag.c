// verdict: violated
// A thread hands over a number by a flag. This one is wrong.
int data, ready;
void produce(void) {
  ready = 1;
  data = 42;
}
int main(void) {
__CPROVER_ASYNC_1: produce();
  if (ready) __CPROVER_assert(data == 42, "written before");
  return 0;
}
