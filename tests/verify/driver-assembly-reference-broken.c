// verdict: violated
// args: --64
// The same without `lock`.
#include <assert.h>
#include <pthread.h>

static int references = 2, freed;

static int dec_and_test(int *p) {
  unsigned char zero;
  __asm__ __volatile__("decl %0; sete %1" : "+m"(*p), "=qm"(zero) : : "memory");
  return zero != 0;
}

static void put(void) {
  if (dec_and_test(&references)) freed++;
}

static void *work(void *argument) {
  put();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  put();
  pthread_join(thread, 0);
  assert(freed == 1);
  return 0;
}
