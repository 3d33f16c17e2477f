// verdict: holds
// A structure is copied, and cleared.
#include <assert.h>
#include <string.h>

struct config {
  int speed;
  int parity;
  char name[4];
};

static struct config saved;

int main(void) {
  struct config now = {.speed = 9600, .parity = 1, .name = "abc"};
  saved = now;
  memset(&now, 0, sizeof now);
  assert(saved.speed == 9600 && saved.name[1] == 'b');
  assert(now.speed == 0 && now.parity == 0 && now.name[0] == 0);
  return 0;
}
