// verdict: holds
// What is read goes to its place and nowhere else.
#include <assert.h>
long read(int, void *, unsigned long);
char kept = 3;
int main(void) {
    char byte = 1;
    read(0, &byte, 1);
    assert(kept == 3);
    return 0;
}
