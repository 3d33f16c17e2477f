// verdict: violated
// property: main.assert.1 holds
// property: main.assert.2 violated
// A class is told by any number but zero.
#include <assert.h>
int isdigit(int c);
int main(void) {
    int is = isdigit('7');
    assert(is && !isdigit('x'));
    assert(is == 1);
    return 0;
}
