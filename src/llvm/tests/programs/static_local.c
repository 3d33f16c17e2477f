#include <pthread.h>
#include <assert.h>
static int next(void) {
    static int n;
    int m = n;
    n = m + 1;
    return m;
}
int seen[2];
void *f(void *a) {
    int i = next();
    seen[i]++;
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, f, 0);
    pthread_create(&q, 0, f, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(seen[0] == 1); // violated
    assert(seen[0] + seen[1] == 2); // violated
    return 0;
}
