// verdict: violated
// C does not say which of two objects lies first.
#include <assert.h>
int a, b;
int main(void) {
    assert(&a < &b);
    return 0;
}
