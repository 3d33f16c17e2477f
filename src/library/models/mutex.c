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

// What is noted of locks if somebody asks (`--checks lock`, `deadlock`), and nothing otherwise: a thread is about to wait for
// one, has it, gives it back, must have it, must not have it; nobody must have it; something is wrong.
#ifdef BOOLERO_LOCKS
void boolero_wants(const void *lock);
void boolero_takes(const void *lock);
void boolero_leaves(const void *lock);
void boolero_needs(const void *lock);
void boolero_again(const void *lock);
void boolero_anew(const void *lock);
void boolero_misuse(const void *lock, int happens);
#else
#define boolero_wants(lock)
#define boolero_takes(lock)
#define boolero_leaves(lock)
#define boolero_needs(lock)
#define boolero_again(lock)
#define boolero_anew(lock)
#define boolero_misuse(lock, happens)
#endif

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
    boolero_anew(mutex);
    mutex->locked = 0;
    return 0;
}

int pthread_mutex_destroy(struct boolero_mutex *mutex) {
    boolero_anew(mutex);
    mutex->locked = 0;
    return 0;
}

int pthread_mutex_lock(struct boolero_mutex *mutex) {
    boolero_plain(mutex->kind);
    boolero_wants(mutex);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(mutex->locked == 0);
    mutex->locked = 1;
    boolero_takes(mutex);
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
#ifdef BOOLERO_LOCKS
    if (busy == 0)
        boolero_takes(mutex);
#endif
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
    boolero_leaves(mutex);
    mutex->locked = 0;
    return 0;
}
