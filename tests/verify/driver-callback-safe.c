// verdict: holds
// Callbacks that are registered with a pointer to their data.
#include <assert.h>

struct callback {
  void (*call)(void *data, int by);
  void *data;
};

static struct callback callbacks[2];
static int first, second;

static void add(void *data, int by) { *(int *)data += by; }

static void on(int number, void (*call)(void *, int), void *data) {
  callbacks[number].call = call;
  callbacks[number].data = data;
}

int main(void) {
  on(0, add, &first);
  on(1, add, &second);
  for (int i = 0; i < 2; i++) callbacks[i].call(callbacks[i].data, i + 1);
  assert(first == 1);
  assert(second == 2);
  return 0;
}
