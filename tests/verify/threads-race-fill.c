// verdict: violated
// args: --checks race --hunt 0
// A fill against a write to a member.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static struct { int at[4]; } here, there;
static int *shared;
static void *one(void *unused) {
    memset(&here, 1, sizeof here);
    return 0;
}
int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    *shared = 0;
    pthread_create(&thread, 0, one, 0);
    here.at[2] = 1;
    pthread_join(thread, 0);
    
    return 0;
}
