// verdict: violated
// args: --checks race --hunt 2000
// A free against a read: the random runs meet it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static struct { int at[4]; } here, there;
static int *shared;
static void *one(void *unused) {
    free(shared);
    return 0;
}
int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    *shared = 0;
    pthread_create(&thread, 0, one, 0);
    int seen = *shared;
    pthread_join(thread, 0);
    
    return 0;
}
