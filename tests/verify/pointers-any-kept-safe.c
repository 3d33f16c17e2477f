// args: --undefined-functions pure --external-pointers any
// verdict: holds
// Code elsewhere was handed the address of `theirs` only, which is no device.
#include <assert.h>
struct device { int state; int users; };
extern int enter(int *number);
extern struct device *find(int number);
static struct device mine;
static int theirs;
int main(void) {
  enter(&theirs);
  mine.state = 1;
  theirs = 7;
  struct device *found = find(1);
  if (found) found->state = 2;
  assert(mine.state == 1 && theirs == 7);
  return 0;
}
