// verdict: violated
// A part of an element may have been read that does not count.
#include <assert.h>
#include <stdio.h>
int main(void) {
    int numbers[2] = {1, 2};
    size_t n = fread(numbers, sizeof(int), 2, stdin);
    assert(n >= 1 || numbers[0] == 1);
    return 0;
}
