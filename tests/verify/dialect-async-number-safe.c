// verdict: holds
// A thread that gets the value that a local variable has when it starts.
int sum;

void worker(int n) {
    __CPROVER_atomic_begin();
    sum += n;
    __CPROVER_atomic_end();
}

int main(void) {
    int i = 2;
__CPROVER_ASYNC_1:
    worker(i);
    i = 5;
    assert(sum == 0 || sum == 2);
    return 0;
}
