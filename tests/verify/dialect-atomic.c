// verdict: violated
// Without the section another thread sees the middle.
#include <pthread.h>
int a, b;

void *worker(void *argument) {
    a = 1;
    b = 1;
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
