// verdict: violated
// The copies of a function share its static variable: what is written through one address is read through the other.
#include <assert.h>
static int *cell(int *init) { static int value; if (init) value = *init; return &value; }
int main(void) { int one = 1; int *p = cell(&one); int *q = cell(0); *q = 2; assert(*p == 1); assert(p == q);}
