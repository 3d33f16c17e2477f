// verdict: unknown
// What number a thread has is not said.
#include <assert.h>
#include <pthread.h>
static void *nothing(void *unused) { return 0; }
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, nothing, 0);
    pthread_create(&second, 0, nothing, 0);
    assert(first < second);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
