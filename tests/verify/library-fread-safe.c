// verdict: holds
// What is read goes to its place and nowhere else.
#include <assert.h>
#include <stdio.h>
char kept = 3;
int main(void) {
    char byte = 1;
    fread(&byte, 1, 1, stdin);
    assert(kept == 3);
    return 0;
}
