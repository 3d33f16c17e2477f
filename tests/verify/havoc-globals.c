// verdict: violated
// args: --undefined-functions havoc
// Other files may use global variables by their names.
#include <assert.h>
void f(void);
int x = 3;
int main(void) {
    f();
    assert(x == 3);
    return 0;
}
