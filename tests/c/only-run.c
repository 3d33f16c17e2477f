// A program without choices: half a million steps, floating point, output. Its only run decides it.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  double half = 0;
  unsigned sum = 0;
  for (unsigned i = 0; i < 20000; i++) {
    sum += i;
    half += 0.5;
  }
  char *text = malloc(1);
  *text = half == 10000 ? 'y' : 'n';
  printf("%u %c\n", sum, *text);
  assert(sum == 199990000 && *text == 'y');
  free(text);
}
