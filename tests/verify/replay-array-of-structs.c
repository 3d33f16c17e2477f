// verdict: violated
// without random runs: violated
// A member of an element, with accesses of several sizes.
#include <assert.h>
struct dev { int id; char name[8]; };

int main(void) {
    struct dev d[2];
    struct dev *p = d;
    assert(p[1].name[3] != 'x' || d[0].id != 99);
    return 0;
}
