// verdict: violated
// A comparison gives a sign, not 1.
#include <assert.h>
int strcasecmp(const char *, const char *);
int main(void) {
    assert(strcasecmp("b", "A") == 1);
    return 0;
}
