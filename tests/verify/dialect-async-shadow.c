// exit: 2
// stderr: `x` is a local variable
// The name of a global variable, but not that variable.
int x;

int main(void) {
    int x = 0;
__CPROVER_ASYNC_1: {
        x = 1;
    }
    return x;
}
