// verdict: holds
// Each round writes its variables before it reads them; what surrounds the loop stays.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int last = 1;
    while (__VERIFIER_nondet_int()) {
        int x, a[2] = {1, 2};
        if (__VERIFIER_nondet_int())
            x = last;
        else
            x = 1;
        a[1] = x;
        last = a[1];
    }
    assert(last == 1);
    return 0;
}
