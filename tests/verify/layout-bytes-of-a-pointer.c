// verdict: unknown
// The bytes of a pointer are part of its number.
#include <assert.h>
int a;
int main(void) {
    int *p = &a;
    unsigned char *bytes = (unsigned char *)&p;
    assert(bytes[2] != 8);
    return 0;
}
