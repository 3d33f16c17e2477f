// verdict: violated
// property: main.leak.1 violated
// args: --checks leak --hunt 0
// Nothing leads to the memory when main has returned.
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    return 0;
}
