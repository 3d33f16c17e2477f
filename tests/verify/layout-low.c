// verdict: unknown
// An object may lie below any bound: models of drivers tell error numbers from pointers so.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(1);
    if ((unsigned long)p <= 2012)
        assert(0);
    return 0;
}
