// verdict: holds
// Two calls in one expression: each returns to where it was made.
#include <assert.h>
#include <pthread.h>
static int result;

static int fibonacci(int n) {
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

static void *work(void *unused) {
    result = fibonacci(4);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(result == 3);
    return 0;
}
