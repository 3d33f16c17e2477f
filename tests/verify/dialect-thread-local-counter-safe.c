// verdict: holds
// A variable of each thread.
__CPROVER_thread_local int mine;
int shared;
void work(void) {
  mine = 1;
  shared = mine;
}
int main(void) {
__CPROVER_ASYNC_1: work();
  __CPROVER_assert(mine == 0 && shared <= 1, "apart");
  return 0;
}
