// verdict: holds
// What the macros of glibc's <ctype.h> look up.
#include <assert.h>
const unsigned short **__ctype_b_loc(void);
int main(void) {
    const unsigned short *table = *__ctype_b_loc();
    assert(table['7'] & 0x800);
    assert(!(table[' '] & 0x400));
    assert(table[-1] == 0);
    return 0;
}
