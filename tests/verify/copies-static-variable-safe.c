// verdict: holds
// A function that is copied for each call has one static variable all the same.
#include <assert.h>
static int *cell(int *init) { static int value; if (init) value = *init; return &value; }
int main(void) { int one = 1; int *p = cell(&one); int *q = cell(0); *q = 2; assert(*p == 2 && p == q);}
