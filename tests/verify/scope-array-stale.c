// verdict: violated
#include <assert.h>
int main(void) {
    int i = 0;
    while (1) {
        int a[2];
        if (i == 0)
            a[0] = a[1] = 5;
        i++;
        if (i == 2) {
            assert(a[1] == 5);
            break;
        }
    }
    return 0;
}
