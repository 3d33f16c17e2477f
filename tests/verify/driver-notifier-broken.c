// verdict: violated
// The order of the chain is the opposite.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct notifier {
  int priority;
  struct notifier *next;
};

static struct notifier *chain;

static void add(struct notifier *new) {
  struct notifier **at = &chain;
  while (*at && (*at)->priority < new->priority) at = &(*at)->next;
  new->next = *at;
  *at = new;
}

static struct notifier low, high;

int main(void) {
  low.priority = 1, high.priority = 2;
  if (__VERIFIER_nondet_int()) {
    add(&low);
    add(&high);
  } else {
    add(&high);
    add(&low);
  }
  assert(chain == &high);
  assert(chain->next == &low && !low.next);
  return 0;
}
