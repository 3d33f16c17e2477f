// verdict: violated
// A function that is called by name and through a pointer: its address is that of the original.
#include <assert.h>
static int total;
static void add(int *p) { total += *p; }
static void apply(void (*f)(int *), int *p) { f(p); }
int main(void) { int a = 1, b = 2; add(&a); apply(add, &b); apply(add, &a); void (*f)(int*) = add; assert(f == add); assert(total == 4); assert(total != 4);}
