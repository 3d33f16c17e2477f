// verdict: violated
// args: --entry work
// The entry is started again as a thread: it does not run once.
#include <assert.h>
#include <pthread.h>
static int n;
static pthread_t ids[3];

void *work(void *unused) {
    pthread_t thread;
    int mine = n;
    n = mine + 1;
    if (mine < 2)
        pthread_create(&thread, 0, work, 0);
    if (mine < 3)
        ids[mine] = pthread_self();
    if (mine == 2) {
        pthread_t a = ids[1], b = ids[2];
        if (a)
            assert(pthread_equal(a, b));
    }
    pthread_exit(0);
}
