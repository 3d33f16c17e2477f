// verdict: violated
// args: --checks race
// property: work.race.1 violated
// Nothing keeps the workers apart.
#include <pthread.h>

static int count;

static void *work(void *unused) {
    int before = count;
    count = before + 1;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return count;
}
