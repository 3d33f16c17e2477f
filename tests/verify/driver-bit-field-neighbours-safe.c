// verdict: holds
// Flags that two threads write are apart: in bytes of their own.
#include <assert.h>
#include <pthread.h>

static struct {
  unsigned char busy;
  unsigned char done;
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
