// exit: 2
// stderr: `x` is a local variable
// The new thread would have a copy of the local variable.
int main(void) {
    int x = 0;
__CPROVER_ASYNC_1:
    x = 1;
    assert(x == 0);
    return 0;
}
