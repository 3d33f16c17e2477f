// verdict: unknown(accesses at the same time as this free at)
// args: --checks race
// A free after the join: the model does not look, so nothing holds.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static struct { int at[4]; } here, there;
static int *shared;
static void *one(void *unused) {
    *shared = 1;
    return 0;
}
int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    *shared = 0;
    pthread_create(&thread, 0, one, 0);
    
    pthread_join(thread, 0);
    free(shared);
    return 0;
}
