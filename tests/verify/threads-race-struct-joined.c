// verdict: holds
// args: --checks race
// An assignment of a struct, and a write to a member after the join.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static struct { int at[4]; } here, there;
static int *shared;
static void *one(void *unused) {
    here = there;
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, one, 0);
    
    pthread_join(thread, 0);
    here.at[2] = 1;
    return 0;
}
