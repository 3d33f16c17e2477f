// verdict: unknown(an access through a pointer that the function to start with gets)
// args: --entry probe
// Memory is set that nobody reads under that name: but it may be the struct `own`, which is read.
#include <assert.h>
#include <string.h>
struct pair { int first, second; };
struct pair own;

int probe(struct pair *given) {
    if (!given)
        return 0;
    own.second = 1;
    memset(given, 0, sizeof *given);
    assert(own.second == 1);
    return 0;
}
