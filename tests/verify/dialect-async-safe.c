// verdict: holds
// A label starts a thread; it writes once.
int x;

void worker(void) { x = 1; }

int main(void) {
__CPROVER_ASYNC_1:
    worker();
    assert(x == 0 || x == 1);
    return 0;
}
