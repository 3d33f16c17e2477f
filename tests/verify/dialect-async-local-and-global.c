// verdict: violated
// `i` is a local variable in `other` and a global one in `main`: only the thread that `other` starts has a copy of it. The
// thread that `main` starts may read `i` after the assignment.
int i;
int seen;

void note(int number) { seen = number; }

void other(void) {
  int i = 0;
__CPROVER_ASYNC_1:
  note(i);
}

int main(void) {
  other();
__CPROVER_ASYNC_2:
  note(i);
  i = 1;
  __CPROVER_assert(seen == 0, "both threads have noted 0");
  return 0;
}
