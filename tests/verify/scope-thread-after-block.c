// verdict: violated
// args: --checks pointer
// The block ends while the other thread still has the address.
#include <pthread.h>
static void *run(void *p) {
    *(int *)p = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    {
        int x = 0;
        pthread_create(&t, 0, run, &x);
    }
    pthread_join(t, 0);
    return 0;
}
