// Threads (POSIX): spin locks, condition variables, locks, semaphores, barriers, once, keys.
//
// The state of each object is kept in the object itself, in its first words, so that static initialisers (zeros) mean what
// they say. To wait is to assume something in an atomic section: a thread that cannot go on stands still until another
// thread has made it true. Starting, joining and ending threads cannot be written in C; the lowering knows them.
//
// These are the lowering's. The machine has its own, which also notice deadlocks and know who holds what.
//
// To unlock what is not locked, to destroy what is in use, and the like are undefined. Here they make the object free, after
// the property of `--checks lock`, if that is asked for. Which threads read under a lock is not kept.

typedef __SIZE_TYPE__ size_t;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int condition);
void boolero_unsupported(const char *what);
int boolero_nondet_timeout(void);

// What is noted of locks if somebody asks (`--checks lock`, `deadlock`), and nothing otherwise: a thread is about to wait for
// one, has it, gives it back, must have it, must not have it; nobody must have it; something is wrong; a thread is about to
// wait in a way that nobody looks at; a thread reads under a lock.
#ifdef BOOLERO_LOCKS
void boolero_wants(const void *lock);
void boolero_takes(const void *lock);
void boolero_leaves(const void *lock);
void boolero_needs(const void *lock);
void boolero_again(const void *lock);
void boolero_anew(const void *lock);
void boolero_misuse(const void *lock, int happens);
void boolero_blocks(const char *what);
void boolero_reads(const void *lock);
#else
#define boolero_wants(lock)
#define boolero_takes(lock)
#define boolero_leaves(lock)
#define boolero_needs(lock)
#define boolero_again(lock)
#define boolero_anew(lock)
#define boolero_misuse(lock, happens)
#define boolero_blocks(what)
#define boolero_reads(lock)
#endif

// Mutexes are in `mutex.c`, or in `owner.c` if the program has some that know their owner.
int pthread_mutex_lock(void *mutex);
int pthread_mutex_unlock(void *mutex);
size_t boolero_self(void);

static void boolero_take(int *locked) {
    boolero_wants(locked);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*locked == 0);
    *locked = 1;
    boolero_takes(locked);
    __VERIFIER_atomic_end();
}

// 16 is EBUSY.
static int boolero_try(int *locked) {
    __VERIFIER_atomic_begin();
    int busy = *locked;
    *locked = 1;
    __VERIFIER_atomic_end();
#ifdef BOOLERO_LOCKS
    if (busy == 0)
        boolero_takes(locked);
#endif
    return busy ? 16 : 0;
}

int pthread_spin_init(int *lock, int shared) {
    boolero_anew(lock);
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(int *lock) {
    boolero_anew(lock);
    *lock = 0;
    return 0;
}

int pthread_spin_lock(int *lock) {
    boolero_take(lock);
    return 0;
}

int pthread_spin_trylock(int *lock) {
    return boolero_try(lock);
}

int pthread_spin_unlock(int *lock) {
    boolero_leaves(lock);
    *lock = 0;
    return 0;
}

int pthread_condattr_init(void *attributes) {
    return 0;
}

int pthread_condattr_destroy(void *attributes) {
    return 0;
}

int pthread_cond_init(void *condition, const void *attributes) {
    return 0;
}

int pthread_cond_destroy(void *condition) {
    return 0;
}

// A thread may wake without a signal, says POSIX. So it may wake at any time, and signals need do nothing.
int pthread_cond_wait(void *condition, void *mutex) {
    boolero_blocks("condition variable");
    boolero_needs(mutex);
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return 0;
}

// 110 is ETIMEDOUT.
int pthread_cond_timedwait(void *condition, void *mutex, const void *until) {
    boolero_needs(mutex);
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return boolero_nondet_timeout() ? 110 : 0;
}

int pthread_cond_signal(void *condition) {
    return 0;
}

int pthread_cond_broadcast(void *condition) {
    return 0;
}

// Locks for reading and writing: the number of readers, or the largest number for a writer.
int pthread_rwlock_init(unsigned *lock, const void *attributes) {
    boolero_anew(lock);
    *lock = 0;
    return 0;
}

int pthread_rwlock_destroy(unsigned *lock) {
    boolero_misuse(lock, *lock != 0);
    *lock = 0;
    return 0;
}

int pthread_rwlock_rdlock(unsigned *lock) {
    boolero_again(lock);
    boolero_reads(lock);
    boolero_blocks("read-write lock");
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*lock != (unsigned)-1);
    *lock = *lock + 1;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_wrlock(unsigned *lock) {
    boolero_again(lock);
    boolero_blocks("read-write lock");
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*lock == 0);
    *lock = (unsigned)-1;
    boolero_takes(lock);
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_tryrdlock(unsigned *lock) {
    boolero_reads(lock);
    __VERIFIER_atomic_begin();
    unsigned before = *lock;
    if (before != (unsigned)-1)
        *lock = before + 1;
    __VERIFIER_atomic_end();
    return before != (unsigned)-1 ? 0 : 16;
}

int pthread_rwlock_trywrlock(unsigned *lock) {
    __VERIFIER_atomic_begin();
    unsigned before = *lock;
    if (before == 0)
        *lock = (unsigned)-1;
    __VERIFIER_atomic_end();
#ifdef BOOLERO_LOCKS
    if (before == 0)
        boolero_takes(lock);
#endif
    return before == 0 ? 0 : 16;
}

int pthread_rwlock_unlock(unsigned *lock) {
#ifdef BOOLERO_LOCKS
    unsigned state = *lock;
    boolero_misuse(lock, state == 0);
    if (state == (unsigned)-1)
        boolero_leaves(lock);
#endif
    __VERIFIER_atomic_begin();
    unsigned before = *lock;
    *lock = before == (unsigned)-1 || before == 0 ? 0 : before - 1;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_init(unsigned *semaphore, int shared, unsigned value) {
    *semaphore = value;
    return 0;
}

int sem_destroy(unsigned *semaphore) {
    return 0;
}

int sem_wait(unsigned *semaphore) {
    boolero_blocks("semaphore");
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*semaphore > 0);
    *semaphore = *semaphore - 1;
    __VERIFIER_atomic_end();
    return 0;
}

// `errno` is not set: nothing here can read it.
int sem_trywait(unsigned *semaphore) {
    __VERIFIER_atomic_begin();
    unsigned before = *semaphore;
    if (before > 0)
        *semaphore = before - 1;
    __VERIFIER_atomic_end();
    return before > 0 ? 0 : -1;
}

int sem_post(unsigned *semaphore) {
    __VERIFIER_atomic_begin();
    *semaphore = *semaphore + 1;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_getvalue(unsigned *semaphore, int *value) {
    *value = *semaphore;
    return 0;
}

// How many are to come, how many have come, and how often all had come.
struct boolero_barrier {
    unsigned wanted;
    unsigned come;
    unsigned round;
};

int pthread_barrier_init(struct boolero_barrier *barrier, const void *attributes, unsigned count) {
    barrier->wanted = count;
    barrier->come = 0;
    barrier->round = 0;
    return 0;
}

int pthread_barrier_destroy(struct boolero_barrier *barrier) {
    return 0;
}

// −1 is PTHREAD_BARRIER_SERIAL_THREAD: the last one to come gets it.
int pthread_barrier_wait(struct boolero_barrier *barrier) {
    boolero_blocks("barrier");
    int last = 0;
    __VERIFIER_atomic_begin();
    unsigned round = barrier->round;
    barrier->come = barrier->come + 1;
    if (barrier->come >= barrier->wanted) {
        last = -1;
        barrier->come = 0;
        barrier->round = round + 1;
    }
    __VERIFIER_atomic_end();
    if (last == 0) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(barrier->round != round);
        __VERIFIER_atomic_end();
    }
    return last;
}

// 0: nobody was there; 1: somebody is at it; 2: it is done.
int pthread_once(int *control, void (*routine)(void)) {
    boolero_blocks("once");
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*control != 1);
    int before = *control;
    if (before == 0)
        *control = 1;
    __VERIFIER_atomic_end();
    if (before == 0) {
        routine();
        *control = 2;
    }
    return 0;
}

int pthread_equal(size_t left, size_t right) {
    return left == right;
}

int pthread_detach(size_t thread) {
    return 0;
}

int pthread_attr_init(void *attributes) {
    return 0;
}

int pthread_attr_destroy(void *attributes) {
    return 0;
}

int pthread_attr_setdetachstate(void *attributes, int state) {
    return 0;
}

int pthread_attr_setscope(void *attributes, int scope) {
    return 0;
}

int pthread_attr_setstacksize(void *attributes, size_t size) {
    return 0;
}

int pthread_setconcurrency(int level) {
    return 0;
}

// What each thread has put by for each key. There are so many keys, and so many threads may use them.
#define BOOLERO_KEYS 16
#define BOOLERO_THREADS 1024
static unsigned boolero_keys;
static void *boolero_specific[BOOLERO_KEYS * BOOLERO_THREADS];

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    if (destructor != 0)
        boolero_unsupported("destructors of keys");
    __VERIFIER_atomic_begin();
    unsigned next = boolero_keys;
    boolero_keys = next + 1;
    __VERIFIER_atomic_end();
    if (next >= BOOLERO_KEYS)
        boolero_unsupported("many keys");
    *key = next;
    return 0;
}

int pthread_key_delete(unsigned key) {
    return 0;
}

static size_t boolero_place(unsigned key) {
    size_t own = boolero_self();
    if (own >= BOOLERO_THREADS || key >= BOOLERO_KEYS)
        boolero_unsupported("keys of many threads");
    return own * BOOLERO_KEYS + key;
}

int pthread_setspecific(unsigned key, const void *value) {
    boolero_specific[boolero_place(key)] = (void *)value;
    return 0;
}

void *pthread_getspecific(unsigned key) {
    return boolero_specific[boolero_place(key)];
}
