// exit: 2
// stderr: is not understood as a thread; start it with pthread_create
// The new thread would have a copy of the array.
void worker(int *numbers) { numbers[0] = 1; }

int main(void) {
    int numbers[2] = {0, 0};
__CPROVER_ASYNC_1:
    worker(numbers);
    assert(numbers[0] == 0);
    return 0;
}
