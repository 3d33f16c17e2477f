// verdict: holds
// args: --hunt 0
// What an uninitialised pointer points to is nothing of the program's; whoever has a copy of the pointer sees the same.
#include <assert.h>
struct device { int state; struct device *parent; };
int count = 3;

static void probe(struct device *device) {
    device->state = 1;
    device->parent->state = 2;
}

int main(void) {
    struct device *device;
    struct device *same = device;
    if (device) {
        probe(device);
        assert(count == 3);
        probe(same);
        same->state = 5;
        assert(device->state == 5);
    }
    return 0;
}
