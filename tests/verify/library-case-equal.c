// verdict: violated
// Texts that differ in case only are equal.
#include <assert.h>
int strcasecmp(const char *, const char *);
int main(void) {
    assert(strcasecmp("aB", "Ab") != 0);
    return 0;
}
