// verdict: holds
// What a thread runs must be one automaton: a procedure that calls itself has copies within each other.
#include <assert.h>
#include <pthread.h>

static int result;

static int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}

static void *work(void *unused) {
    result = factorial(3);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(result == 6);
    return 0;
}
