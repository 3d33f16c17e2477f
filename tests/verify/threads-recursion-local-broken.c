// verdict: violated
// Each activation has variables of its own, and the address of one of them goes down.
#include <assert.h>
#include <pthread.h>

static void descend(int n, int *outer) {
    int mine = n;
    if (n > 0)
        descend(n - 1, &mine);
    assert(mine == (n > 0 ? -1 : 0));
    if (n != 1)
        *outer = -1;
}

static void *work(void *unused) {
    int top = 5;
    descend(2, &top);
    assert(top == -1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
