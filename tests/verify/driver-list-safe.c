// verdict: holds
// without random runs: unknown
// An intrusive list: what was removed is not in it any more.
#include <assert.h>
#include <stddef.h>

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

struct list_head {
  struct list_head *next, *prev;
};
struct request {
  int size;
  struct list_head queue;
};

static struct list_head head = {&head, &head};

static void list_add(struct list_head *new, struct list_head *after) {
  new->next = after->next;
  new->prev = after;
  after->next->prev = new;
  after->next = new;
}

static void list_del(struct list_head *entry) {
  entry->prev->next = entry->next;
  entry->next->prev = entry->prev;
}

int main(void) {
  struct request a = {.size = 1}, b = {.size = 2};
  list_add(&a.queue, &head);
  list_add(&b.queue, &head);
  assert(container_of(head.next, struct request, queue)->size == 2);
  list_del(&b.queue);
  assert(head.next == &a.queue && a.queue.prev == &head);
  return 0;
}
