// verdict: holds
// Two threads count by `lock; cmpxchg`, again and again until nobody was in between.
#include <assert.h>
#include <pthread.h>
static int n;
static int cmpxchg(int *p, int old, int new) {
    int prev;
    __asm__ volatile("lock; cmpxchgl %2,%1" : "=a"(prev), "+m"(*p) : "r"(new), "0"(old) : "memory");
    return prev;
}
static void add(void) {
    int old;
    do {
        old = n;
    } while (cmpxchg(&n, old, old + 1) != old);
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
