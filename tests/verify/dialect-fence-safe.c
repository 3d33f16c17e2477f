// verdict: holds
// A fence changes nothing where memory is sequentially consistent.
#include <pthread.h>
int data, ready;

void *producer(void *argument) {
    data = 7;
    __CPROVER_fence("WWfence", "WRfence");
    ready = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    if (ready) {
        __CPROVER_fence("RRfence");
        assert(data == 7);
    }
    return 0;
}
