// verdict: unknown(replay mismatch)
// args: --32 --hunt 0
// By chance the pointer may point to something: then the error is reached. The machine cannot confirm that.
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
