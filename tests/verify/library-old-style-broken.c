// verdict: violated
// args: -- -std=gnu89
// The same, where one assertion is wrong.
#include <assert.h>
extern int abs();
int main(void) {
    assert(abs(-4) == -4);
    return 0;
}
