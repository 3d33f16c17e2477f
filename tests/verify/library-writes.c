// verdict: unknown(gethostname)
// args: --undefined-functions pure
// A function of POSIX that writes is not pure, whatever is said of functions that nobody knows.
#include <assert.h>
int gethostname(char *, unsigned long);
int main(void) {
    char name[8] = {7};
    gethostname(name, sizeof name);
    assert(name[0] == 7);
    return 0;
}
