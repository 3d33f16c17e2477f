#include <pthread.h>
int shared;
void *work(void *argument) { shared = 1; return 0; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  shared = 2;
  pthread_join(thread, 0);
}
