// args: --undefined-functions havoc
// verdict: holds
// A driver's own `toupper`, which is defined elsewhere: it is not the library's, and gives anything. What is said of such functions is
// said of this one.
#include <assert.h>
long toupper(const char *bus, long slot);
static int slots = 3;
int main(void) {
    long slot = toupper("pci", 1);
    if (slot < 0 || slot >= slots)
        return 1;
    assert(slot < 3);
    return 0;
}
