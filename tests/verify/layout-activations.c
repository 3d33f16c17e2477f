// verdict: violated
// A local variable lies elsewhere when its function is called from elsewhere.
#include <assert.h>
int *last;
void f(void) {
    int x;
    if (last)
        assert(last == &x);
    last = &x;
}
void g(void) {
    int y[8];
    y[0] = 1;
    f();
}
int main(void) {
    f();
    g();
    return 0;
}
