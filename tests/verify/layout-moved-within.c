// verdict: holds
// An address within its object, or one past its end, is never null, however it was computed. What is moved there and back is where it was.
#include <assert.h>
struct pair { long first, second; } pair;
int main(void) {
    unsigned long start = (unsigned long)&pair;
    unsigned long middle = start + 8, end = middle + 8;
    assert(start != 0 && middle != 0 && end != 0);
    struct pair *back = (struct pair *)(end - 16);
    back->second = 5;
    assert(back != 0 && pair.second == 5);
    return 0;
}
