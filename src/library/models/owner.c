// Mutexes of all kinds, for programs that have such as know their owner: recursive and error-checking ones.
//
// See `pthread.c` for what is common to all models of threads. 1 is PTHREAD_MUTEX_RECURSIVE, 2 PTHREAD_MUTEX_ERRORCHECK;
// all others are plain.

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

size_t boolero_self(void);

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

int pthread_mutex_init(struct boolero_mutex *mutex, const int *attributes) {
    boolero_anew(mutex);
    mutex->kind = 0;
    if (attributes != 0)
        mutex->kind = *attributes;
    mutex->locked = 0;
    return 0;
}

int pthread_mutex_destroy(struct boolero_mutex *mutex) {
    boolero_anew(mutex);
    mutex->locked = 0;
    return 0;
}

// 35 is EDEADLK.
int pthread_mutex_lock(struct boolero_mutex *mutex) {
    int own = (int)boolero_self(), kind = mutex->kind, code = 0;
#ifdef BOOLERO_LOCKS
    if (mutex->locked == 0 || mutex->owner != own || (kind != 1 && kind != 2))
        boolero_wants(mutex);
#endif
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(mutex->locked == 0 || (mutex->owner == own && (kind == 1 || kind == 2)));
    if (mutex->locked == 0) {
        mutex->locked = 1;
        mutex->owner = own;
        mutex->count = 1;
        boolero_takes(mutex);
    } else if (kind == 1) {
        mutex->count = mutex->count + 1;
    } else {
        code = 35;
    }
    __VERIFIER_atomic_end();
    return code;
}

// 16 is EBUSY.
int pthread_mutex_trylock(struct boolero_mutex *mutex) {
    int own = (int)boolero_self(), kind = mutex->kind, code = 0;
    __VERIFIER_atomic_begin();
    if (mutex->locked == 0) {
        mutex->locked = 1;
        mutex->owner = own;
        mutex->count = 1;
        boolero_takes(mutex);
    } else if (kind == 1 && mutex->owner == own) {
        mutex->count = mutex->count + 1;
    } else {
        code = 16;
    }
    __VERIFIER_atomic_end();
    return code;
}

// Time is up before the mutex is free, or never. 110 is ETIMEDOUT.
int pthread_mutex_timedlock(struct boolero_mutex *mutex, const void *until) {
    if (boolero_nondet_timeout())
        return pthread_mutex_trylock(mutex) ? 110 : 0;
    return pthread_mutex_lock(mutex);
}

// Only its owner may unlock a mutex that knows it. 1 is EPERM.
int pthread_mutex_unlock(struct boolero_mutex *mutex) {
    int own = (int)boolero_self(), kind = mutex->kind, code = 0;
    __VERIFIER_atomic_begin();
    if ((kind == 1 || kind == 2) && (mutex->locked == 0 || mutex->owner != own)) {
        code = 1;
    } else if (kind == 1 && mutex->count > 1) {
        mutex->count = mutex->count - 1;
    } else {
        boolero_leaves(mutex);
        mutex->locked = 0;
        mutex->count = 0;
    }
    __VERIFIER_atomic_end();
    return code;
}
