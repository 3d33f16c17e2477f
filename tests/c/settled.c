// What the machine would settle: a run of this program is not the only one, though it asks nothing.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *old = malloc(1);
  free(old);
  char *new = malloc(1);
  float open = 1.0f;
  assert(new != old && open == 1);
}
