// verdict: violated
// args: --hunt 0
// A variable that is defined elsewhere holds anything, and the replay knows what.
#include <assert.h>
extern int elsewhere;
int main(void) {
    assert(elsewhere != 12345);
    return 0;
}
