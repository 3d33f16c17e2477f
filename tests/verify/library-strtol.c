// verdict: violated
// A number ends where its digits do.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *end;
    long n = strtol("7x", &end, 10);
    assert(!(n == 7 && *end == 'x'));
    return 0;
}
