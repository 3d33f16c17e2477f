// verdict: violated
// Flags that two threads write are bit-fields of one word: a write of one writes all.
#include <assert.h>
#include <pthread.h>

static struct {
  unsigned busy : 1;
  unsigned done : 1;
} state;

static void *work(void *argument) {
  state.done = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  state.busy = 1;
  pthread_join(thread, 0);
  assert(state.busy && state.done);
  return 0;
}
