// Whether anything is logged has nothing to do with the lock: paths that do not log although the level is 3 are wrong about
// the lock as well.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int level, logged, locked;

static void note(int what) {
    if (level > what)
        logged++;
}

int main(void) {
    level = 3;
    while (__VERIFIER_nondet_int()) {
        if (level == 3) {
            note(5);
            note(7);
        }
        assert(!locked);
        locked = 1;
        if (level == 3) {
            note(5);
            note(7);
        }
        locked = 0;
    }
    return 0;
}
