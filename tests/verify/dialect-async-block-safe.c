// verdict: holds
// A label before a block: all of it runs in the new thread.
int x, y;

int main(void) {
__CPROVER_ASYNC_1: {
        x = 1;
        y = 1;
    }
    int second = y;
    int first = x;
    assert(!(second == 1 && first == 0));
    return 0;
}
