// verdict: violated
// The same without a second try.
#include <assert.h>
#include <pthread.h>
static int n;
static int cmpxchg(int *p, int old, int new) {
    int prev;
    __asm__ volatile("lock; cmpxchgl %2,%1" : "=a"(prev), "+m"(*p) : "r"(new), "0"(old) : "memory");
    return prev;
}
static void add(void) {
    int old = n;
    cmpxchg(&n, old, old + 1);
}
void *work(void *arg) { add(); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    add();
    pthread_join(t, 0);
    assert(n == 2);
    return 0;
}
