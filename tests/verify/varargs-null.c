// verdict: holds
// args: --checks null
// `va_start` writes, and that is looked at like any other access.
#include <assert.h>
#include <stdarg.h>

static int sum(int n, ...) {
    va_list rest;
    int s = 0;
    va_start(rest, n);
    for (int i = 0; i < n; i++)
        s += va_arg(rest, int);
    va_end(rest);
    return s;
}

int main(void) {
    assert(sum(2, 1, 2) == 3);
    return 0;
}
