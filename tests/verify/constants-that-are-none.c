// verdict: violated
// property: main.assert.1 violated
// property: main.assert.2 violated
// property: main.assert.3 violated
// property: main.assert.4 holds
// Globals that look constant are changed by memset, memcpy and through a table of pointers.
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int set = 0, copied[3], source[3] = {1, 2, 3}, target = 0, rest = 4;
int *const table[2] = {&target, &rest};

int main(void) {
    unsigned number = __VERIFIER_nondet_int();
    if (number == 1) {
        memset(&set, 1, sizeof set);
        assert(set == 0);
    } else if (number == 2) {
        memcpy(copied, source, sizeof copied);
        assert(copied[1] == 0);
    } else if (number < 5) {
        *table[number - 3] = 7;
        assert(target == 0);
    } else {
        assert(source[number % 3] < 4);
    }
    return 0;
}
