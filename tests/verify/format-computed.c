// verdict: holds
// All formats that the pointer may point to are constants that write nothing.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
int main(void) {
    int x = 1;
    const char *format = __VERIFIER_nondet_int() ? "%d\n" : "100%% %d\n";
    printf(format, x);
    say("%d\n", x);
    assert(x == 1);
    return 0;
}
