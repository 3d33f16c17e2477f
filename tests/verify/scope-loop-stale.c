// verdict: violated
// C11 6.2.4p6: x is another variable in each round, and nobody knows what it holds.
#include <assert.h>
int main(void) {
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 0)
            x = 1;
        assert(x == 1);
    }
    return 0;
}
