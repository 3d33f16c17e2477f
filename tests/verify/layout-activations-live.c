// verdict: holds
// Variables of activations that live are told apart, and those of a function that keeps no address compare as ever.
#include <assert.h>
int count(int *from, int *to) {
    int n = 0;
    for (int *p = from; p != to; p++)
        n++;
    return n;
}
int two(void) {
    int a[2];
    return count(a, a + 2);
}
int main(void) {
    assert(two() == 2);
    assert(two() == 2);
    return 0;
}
