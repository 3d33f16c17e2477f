// verdict: holds
// What accesses a variable that has ended is not asked for: the run ends there.
#include <assert.h>
int main(void) {
    int *p, y = 2;
    {
        int x = 1;
        p = &x;
    }
    y = *p + 1;
    assert(p != 0 || y);
    return 0;
}
