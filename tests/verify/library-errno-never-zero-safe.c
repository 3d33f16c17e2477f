// verdict: holds
// No function of the library sets errno to zero.
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = ERANGE;
    puts("hello");
    assert(errno != 0);
    return 0;
}
