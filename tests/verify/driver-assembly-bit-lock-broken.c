// verdict: violated
// args: --64
// Two threads set different bits.
#include <assert.h>
#include <pthread.h>

static unsigned long flags;
static int inside;

static int test_and_set_bit(long nr) {
  int old;
  __asm__ __volatile__("lock; btsq %2,%1\n\tsbbl %0,%0" : "=r"(old), "+m"(flags) : "r"(nr) : "memory");
  return old;
}

static void *work(void *argument) {
  if (test_and_set_bit(argument ? 3 : 4)) return 0;
  inside++;
  assert(inside == 1);
  inside--;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(&flags);
  pthread_join(thread, 0);
  return 0;
}
