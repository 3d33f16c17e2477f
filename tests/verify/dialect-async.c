// exit: 2
// stderr: `__CPROVER_ASYNC_1:` starts a thread
// A label that starts a thread must not be taken for an ordinary one.
int x;

int main(void) {
__CPROVER_ASYNC_1:
    x = 1;
    assert(x == 0);
    return 0;
}
