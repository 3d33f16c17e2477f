// verdict: violated
// The thread that a label starts may run later.
int x;

void worker(void) { x = 1; }

int main(void) {
__CPROVER_ASYNC_1:
    worker();
    assert(x == 1);
    return 0;
}
