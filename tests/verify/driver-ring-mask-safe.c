// verdict: holds
// A ring whose counters run freely; a mask makes indices of them.
#include <assert.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define SIZE 4u
#define MASK (SIZE - 1)

struct ring {
  unsigned int head, tail;
  unsigned char data[SIZE];
  int lost;
};

static struct ring ring;

static int put(struct ring *to, unsigned char value) {
  if (to->head - to->tail == SIZE) return -1;
  to->data[to->head & MASK] = value;
  to->head++;
  return 0;
}

static int get(struct ring *from) {
  if (from->head == from->tail) return -1;
  return from->data[from->tail++ & MASK];
}

int main(void) {
  ring.head = ring.tail = __VERIFIER_nondet_uint();
  put(&ring, 7);
  put(&ring, 8);
  assert(get(&ring) == 7);
  assert(ring.head - ring.tail == 1);
  assert(ring.lost == 0);
  return 0;
}
