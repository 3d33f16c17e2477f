// verdict: unknown
// args: --checks leak
// The program ends in the middle. The machine does not tell a variable from a temporary that still has the address.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    p = 0;
    exit(0);
}
