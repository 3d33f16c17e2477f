// verdict: violated
// without random runs: violated
// What uninitialised memory of the heap holds decides: the machine gets the values that the model found.
#include <assert.h>
#include <stdlib.h>
struct s {
    int a;
    char c;
    int b[2];
};

int main(void) {
    struct s *p = malloc(sizeof *p);
    int *q = malloc(8);
    assert(!(p->b[1] == 7 && q[0] == 3));
    return p->c;
}
