// verdict: violated
// A thread looks at a local variable of the thread that started it.
#include <assert.h>
#include <pthread.h>

static void *looks(void *pointer) {
    int *x = pointer;
    assert(*x == 1);
    return 0;
}

int main(void) {
    int x = 1;
    pthread_t thread;
    pthread_create(&thread, 0, looks, &x);
    x = 2;
    pthread_join(thread, 0);
    return 0;
}
