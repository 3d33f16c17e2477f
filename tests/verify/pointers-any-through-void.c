// args: --undefined-functions pure --external-pointers any
// verdict: unknown(may lead to `mine`)
// What was handed leads to another object.
#include <assert.h>
struct device { int state; int users; };
struct box { void *data; };
extern int enter(struct box *box);
extern void *find(void);
static struct device mine;
static struct box box = { &mine };
int main(void) {
  enter(&box);
  mine.state = 1;
  struct device *found = find();
  if (found) found->state = 2;
  assert(mine.state == 1);
  return 0;
}
