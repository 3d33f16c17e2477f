// args: --undefined-functions pure
// verdict: violated
// An `abs` that returns something else than the library's is a function of the program's own: it may be negative.
#include <assert.h>
long abs(long value);
int main(void) {
    assert(abs(5) >= 0);
    return 0;
}
