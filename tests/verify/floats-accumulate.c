// verdict: holds
// A sum that grows in steps as long as it is small.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (sum < 10)
            sum += 1.5;
        assert(sum < 11.5);
    }
    return 0;
}
