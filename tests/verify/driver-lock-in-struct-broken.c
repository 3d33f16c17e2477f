// verdict: violated
// The lock is given up in between.
#include <assert.h>
#include <pthread.h>

struct device {
  pthread_mutex_t lock;
  int count;
};
static struct device device = {PTHREAD_MUTEX_INITIALIZER, 0};

static void *work(void *argument) {
  struct device *mine = argument;
  pthread_mutex_lock(&mine->lock);
  int seen = mine->count;
  pthread_mutex_unlock(&mine->lock);
  pthread_mutex_lock(&mine->lock);
  mine->count = seen + 1;
  assert(mine->count == seen + 1);
  pthread_mutex_unlock(&mine->lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, &device);
  work(&device);
  pthread_join(thread, 0);
  assert(device.count == 2);
  return 0;
}
