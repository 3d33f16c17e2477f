// verdict: unknown
// args: --undefined-functions pure --external-pointers any
// A struct is copied to what a function without a body returned. Nobody reads it there, under that name: but it may be the
// struct `own`, which is read.
#include <assert.h>
struct pair { int first, second; };
struct pair own;
struct pair *find(void);

int main(void) {
    struct pair other = {5, 5};
    struct pair *found = find();
    if (!found)
        return 0;
    own.second = 1;
    *found = other;
    assert(own.second == 1);
    return 0;
}
