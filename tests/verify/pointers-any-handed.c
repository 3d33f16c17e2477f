// args: --undefined-functions pure --external-pointers any
// verdict: unknown(may lead to `mine`)
// Code elsewhere was handed the address of `mine`, and may give it back.
#include <assert.h>
struct device { int state; int users; };
extern int enter(struct device *device);
extern struct device *find(int number);
static struct device mine;
int main(void) {
  enter(&mine);
  mine.state = 1;
  struct device *found = find(1);
  if (found) found->state = 2;
  assert(mine.state == 1);
  return 0;
}
