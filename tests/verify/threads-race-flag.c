// verdict: holds
// args: --checks race
// An atomic flag says that the data are there.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *write(void *unused) {
    data = 7;
    atomic_store(&ready, 1);
    return 0;
}

static void *read(void *unused) {
    if (atomic_load(&ready) == 1)
        return (void *)(long)data;
    return 0;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, 0, write, 0);
    pthread_create(&reader, 0, read, 0);
    pthread_join(writer, 0);
    return data;
}
