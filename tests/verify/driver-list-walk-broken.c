// verdict: violated
// Walking an intrusive list that has fewer members than somebody thinks.
#include <assert.h>
#include <stddef.h>

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))
#define list_for_each(at, head) for (at = (head)->next; at != (head); at = at->next)

struct list_head {
  struct list_head *next, *prev;
};
struct request {
  int done;
  struct list_head queue;
};

static struct list_head head = {&head, &head};
static struct request first, second;

static void list_add(struct list_head *new, struct list_head *after) {
  new->next = after->next;
  new->prev = after;
  after->next->prev = new;
  after->next = new;
}

int main(void) {
  struct list_head *at;
  int count = 0;
  list_add(&first.queue, &head);
  list_add(&second.queue, &head);
  list_for_each(at, &head) {
    container_of(at, struct request, queue)->done = 1;
    count++;
  }
  assert(count == 3 && first.done && second.done);
  return 0;
}
