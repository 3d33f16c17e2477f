// verdict: holds
// A line ends with its newline.
#include <assert.h>
#include <stdio.h>
int main(void) {
    char t[3];
    if (fgets(t, 3, stdin) && t[0] == '\n')
        assert(t[1] == 0);
    return 0;
}
