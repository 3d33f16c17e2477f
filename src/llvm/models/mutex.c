// Mutexes of the plain kind, for programs that have no others: who has locked one is not kept.
//
// See `pthread.c` for what is common to all models of threads. Where no constant of the program looks like a mutex of
// another kind, the look at the kind is left out.

typedef __SIZE_TYPE__ size_t;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int condition);
void boolero_unsupported(const char *what);
int boolero_nondet_timeout(void);

// As glibc lays it out: a static initialiser may say that the mutex is of another kind.
struct boolero_mutex {
    int locked;
    unsigned count;
    int owner;
#if __SIZEOF_POINTER__ == 8
    unsigned users;
#endif
    int kind;
};

static void boolero_plain(int kind) {
    if (kind == 1 || kind == 2)
        boolero_unsupported("a mutex of another kind than the plain one");
}

int pthread_mutexattr_init(int *attributes) {
    *attributes = 0;
    return 0;
}

int pthread_mutexattr_destroy(int *attributes) {
    return 0;
}

int pthread_mutexattr_settype(int *attributes, int kind) {
    *attributes = kind;
    return 0;
}

// Attributes ask for nothing: programs in which they do have the models of `owner.c`.
int pthread_mutex_init(struct boolero_mutex *mutex, const int *attributes) {
    mutex->locked = 0;
    return 0;
}

int pthread_mutex_destroy(struct boolero_mutex *mutex) {
    mutex->locked = 0;
    return 0;
}

int pthread_mutex_lock(struct boolero_mutex *mutex) {
    boolero_plain(mutex->kind);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(mutex->locked == 0);
    mutex->locked = 1;
    __VERIFIER_atomic_end();
    return 0;
}

// 16 is EBUSY.
int pthread_mutex_trylock(struct boolero_mutex *mutex) {
    boolero_plain(mutex->kind);
    __VERIFIER_atomic_begin();
    int busy = mutex->locked;
    mutex->locked = 1;
    __VERIFIER_atomic_end();
    return busy ? 16 : 0;
}

// Time is up before the mutex is free, or never. 110 is ETIMEDOUT.
int pthread_mutex_timedlock(struct boolero_mutex *mutex, const void *until) {
    if (boolero_nondet_timeout())
        return pthread_mutex_trylock(mutex) ? 110 : 0;
    return pthread_mutex_lock(mutex);
}

int pthread_mutex_unlock(struct boolero_mutex *mutex) {
    boolero_plain(mutex->kind);
    mutex->locked = 0;
    return 0;
}
