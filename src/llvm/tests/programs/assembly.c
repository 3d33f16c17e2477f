#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int);
int locked, torn, lock, shared, references = 2, last;
unsigned char ended;
void *f(void *a) {
    int v = 1;
    unsigned char c;
    __asm__ volatile("lock; incl %0" : "+m"(locked));
    __asm__ volatile("incl %0" : "+m"(torn));
    __asm__ volatile("xchgl %0,%1" : "+r"(v), "+m"(lock) : : "memory");
    __VERIFIER_assume(v == 0);
    int y = shared;
    shared = y + 1;
    __asm__ volatile("movl %1,%0" : "=m"(lock) : "r"(0) : "memory");
    __asm__ volatile("lock; decl %0; sete %1" : "+m"(references), "=qm"(c) : : "memory");
    if (c) last++;
    return 0;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, f, 0);
    f(0);
    pthread_join(p, 0);
    assert(locked == 2);
    assert(torn == 2); // violated
    assert(shared == 2);
    assert(last == 1 && references == 0);
    return 0;
}
