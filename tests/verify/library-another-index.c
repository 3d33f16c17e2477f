// args: --undefined-functions pure
// verdict: violated
// The same without the check. The library's `toupper` never gives 7000.
#include <assert.h>
long toupper(const char *bus, long slot);
int main(void) {
    long slot = toupper("pci", 1);
    assert(slot != 7000);
    return 0;
}
