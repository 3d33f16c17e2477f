#include <stdlib.h>
int main(int count, char **arguments) {
  int *p = malloc(sizeof *p);
  *p = count;
  p = 0;
}
