// verdict: violated
// args: --undefined-functions havoc
// Each call may leave other values in global variables, in a result, and in what an argument points to.
#include <assert.h>
int f(int *);
int x = 3;
struct pair {
  int a;
  char b[4];
} pair;
int main(void) {
  int local = 0;
  int first = f(&local);
  int before = x;
  int second = f(&local);
  assert(first != 1 || second != 2 || before != 5 || x != 6 || pair.a != 7 || pair.b[2] != 8 || local != 9);
  return 0;
}
