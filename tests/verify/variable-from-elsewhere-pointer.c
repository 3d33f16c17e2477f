// verdict: unknown(an access through a pointer that a variable from elsewhere holds)
// Who defines `where` may let it point to `count`.
#include <assert.h>
extern int *where;
int count;
int main(void) {
    count = 1;
    *where = 2;
    assert(count == 1);
    return 0;
}
