// verdict: holds
// An atomic section: no thread sees the middle of it.
#include <pthread.h>
int a, b;

void *worker(void *argument) {
    __CPROVER_atomic_begin();
    a = 1;
    b = 1;
    __CPROVER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    __CPROVER_atomic_begin();
    int x = a, y = b;
    __CPROVER_atomic_end();
    assert(x == y);
    return 0;
}
