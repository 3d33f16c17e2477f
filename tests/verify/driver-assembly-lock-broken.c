// verdict: violated
// args: --64
// A thread looks first, and then writes.
#include <assert.h>
#include <pthread.h>

static volatile int lock;
static int shared;

static int xchg(volatile int *p, int v) {
  __asm__ __volatile__("xchgl %0,%1" : "+r"(v), "+m"(*p) : : "memory");
  return v;
}

static void add(void) {
  while (lock)
    continue;
  lock = 1;
  shared++;
  __asm__ __volatile__("movl %1,%0" : "=m"(lock) : "r"(0) : "memory");
}

static void *work(void *argument) {
  add();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  add();
  pthread_join(thread, 0);
  assert(shared == 2);
  return 0;
}
