// verdict: violated
// args: --32 --hunt 0
// The pointer was never set. It leads to memory of its own, in model and machine alike, and the error is reached.
#include <stdlib.h>
void reach_error(void);
struct cipher { unsigned algorithms; };
struct state { struct cipher *cipher; int number; };

int main(void) {
    struct state *s = malloc(sizeof *s);
    s->number = 1;
    if (s->cipher->algorithms & 256) {
        s->number = 2;
    }
    if (s->number >= 1) {
        reach_error();
    }
    return 0;
}
