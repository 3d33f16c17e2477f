// verdict: violated
// A fence does not make up for a wrong order.
#include <pthread.h>
int data, ready;

void *producer(void *argument) {
    ready = 1;
    __CPROVER_fence("WWfence");
    data = 7;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    if (ready)
        assert(data == 7);
    return 0;
}
