// verdict: holds
// `i` is a local variable in `other` and a global one in `main`: no thread notes anything but 0 or 1.
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
  int now = seen;
  __CPROVER_assert(now == 0 || now == 1, "nobody notes another number");
  return 0;
}
