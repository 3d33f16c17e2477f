// verdict: violated
// A variable that each thread has for itself.
#include <pthread.h>
int mine;

static void *work(void *argument) {
  mine = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  __CPROVER_assert(mine == 0, "each thread has its own");
  return 0;
}
