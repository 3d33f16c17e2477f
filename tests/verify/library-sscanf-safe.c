// verdict: holds
// What is not read stays.
#include <assert.h>
#include <stdio.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[2] = {__VERIFIER_nondet_char(), 0};
    int n = 3;
    int count = sscanf(text, "%d", &n);
    assert(count >= -1 && count <= 1);
    if (count < 1)
        assert(n == 3);
    return 0;
}
