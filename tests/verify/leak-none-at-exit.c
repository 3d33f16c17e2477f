// verdict: holds
// args: --checks leak
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    free(p);
    exit(0);
}
