// verdict: violated
// A function of the library may have set errno, even if it succeeds.
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = 0;
    puts("hello");
    assert(errno == 0);
    return 0;
}
