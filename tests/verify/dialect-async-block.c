// verdict: violated
// A label before a block: the order of its writes shows.
int x, y;

int main(void) {
__CPROVER_ASYNC_1: {
        x = 1;
        y = 1;
    }
    int first = x;
    int second = y;
    assert(!(second == 1 && first == 0));
    return 0;
}
