// verdict: holds
// args: --max-iterations 40
//
// The loop writes nothing, but the thread waits there for the other one. With threads such loops stay.
#include <assert.h>
#include <pthread.h>
static int ready, data, noise;

static void *writer(void *arg) {
  noise = 1;
  data = 5;
  ready = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  noise = 2;
  while (!ready)
    ;
  assert(data == 5);
  return 0;
}
