// verdict: violated
// The sum is 3 after two steps.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (sum < 3)
            sum += 1.5;
        assert(sum < 3);
    }
    return 0;
}
