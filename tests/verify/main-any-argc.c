// verdict: violated
// property: main.assert.1 holds
// property: main.assert.2 violated
// args: --hunt 0
// main may get any number of strings.
#include <assert.h>
int main(int argc, char **argv) {
    assert(argc >= 0);
    if (argv)
        assert(argc != 7);
    return 0;
}
