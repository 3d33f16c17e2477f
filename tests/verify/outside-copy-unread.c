// verdict: unknown(an access through a pointer that a variable from elsewhere holds)
// A struct is copied to where a variable from elsewhere leads. Nobody reads it there, under that name: but it may be the
// struct `own`, which is read.
#include <assert.h>
struct pair { int first, second; };
struct pair own;
extern struct pair *current;

int main(void) {
    struct pair other = {5, 5};
    if (!current)
        return 0;
    own.second = 1;
    *current = other;
    assert(own.second == 1);
    return 0;
}
