// verdict: unknown(isdigit of another type, which is not defined)
// Nobody has said what it does.
#include <assert.h>
int isdigit(const char *text, int at);
int main(void) {
    assert(isdigit("12", 1) == 0);
    return 0;
}
