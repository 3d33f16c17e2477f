// Threads of C11 (`threads.h`), by those of POSIX, as glibc has them. Machine and lowering both use these.
//
// 0 is thrd_success, 1 thrd_busy, 2 thrd_error, 4 thrd_timedout. A mutex is recursive if the lowest bit of its type is set.

typedef __SIZE_TYPE__ size_t;
int pthread_create(size_t *thread, const void *attributes, void *(*routine)(void *), void *argument);
int pthread_join(size_t thread, void **result);
_Noreturn void pthread_exit(void *result);
size_t pthread_self(void);
int pthread_detach(size_t thread);
int pthread_mutexattr_init(int *attributes);
int pthread_mutexattr_settype(int *attributes, int kind);
int pthread_mutex_init(void *mutex, const int *attributes);
int pthread_mutex_destroy(void *mutex);
int pthread_mutex_lock(void *mutex);
int pthread_mutex_trylock(void *mutex);
int pthread_mutex_timedlock(void *mutex, const void *until);
int pthread_mutex_unlock(void *mutex);
int pthread_cond_init(void *condition, const void *attributes);
int pthread_cond_destroy(void *condition);
int pthread_cond_wait(void *condition, void *mutex);
int pthread_cond_timedwait(void *condition, void *mutex, const void *until);
int pthread_cond_signal(void *condition);
int pthread_cond_broadcast(void *condition);
int pthread_once(int *control, void (*routine)(void));
int pthread_key_create(unsigned *key, void (*destructor)(void *));
int pthread_key_delete(unsigned key);
int pthread_setspecific(unsigned key, const void *value);
void *pthread_getspecific(unsigned key);
int sched_yield(void);

int thrd_create(size_t *thread, int (*routine)(void *), void *argument) {
    return pthread_create(thread, 0, (void *(*)(void *))routine, argument) == 0 ? 0 : 2;
}

int thrd_join(size_t thread, int *result) {
    void *returned = 0;
    int code = pthread_join(thread, &returned);
    if (result != 0)
        *result = (int)(size_t)returned;
    return code == 0 ? 0 : 2;
}

_Noreturn void thrd_exit(int result) {
    pthread_exit((void *)(size_t)(unsigned)result);
}

size_t thrd_current(void) {
    return pthread_self();
}

int thrd_equal(size_t left, size_t right) {
    return left == right;
}

int thrd_detach(size_t thread) {
    return pthread_detach(thread) == 0 ? 0 : 2;
}

void thrd_yield(void) {
    sched_yield();
}

int thrd_sleep(const void *duration, void *remaining) {
    return 0;
}

int mtx_init(void *mutex, int type) {
    if ((type & 1) == 0)
        return pthread_mutex_init(mutex, 0);
    int attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, 1);
    return pthread_mutex_init(mutex, &attributes);
}

void mtx_destroy(void *mutex) {
    pthread_mutex_destroy(mutex);
}

int mtx_lock(void *mutex) {
    return pthread_mutex_lock(mutex) == 0 ? 0 : 2;
}

int mtx_trylock(void *mutex) {
    return pthread_mutex_trylock(mutex) == 0 ? 0 : 1;
}

int mtx_timedlock(void *mutex, const void *until) {
    return pthread_mutex_timedlock(mutex, until) == 0 ? 0 : 4;
}

int mtx_unlock(void *mutex) {
    return pthread_mutex_unlock(mutex) == 0 ? 0 : 2;
}

int cnd_init(void *condition) {
    return pthread_cond_init(condition, 0);
}

void cnd_destroy(void *condition) {
    pthread_cond_destroy(condition);
}

int cnd_wait(void *condition, void *mutex) {
    return pthread_cond_wait(condition, mutex) == 0 ? 0 : 2;
}

int cnd_timedwait(void *condition, void *mutex, const void *until) {
    return pthread_cond_timedwait(condition, mutex, until) == 0 ? 0 : 4;
}

int cnd_signal(void *condition) {
    return pthread_cond_signal(condition) == 0 ? 0 : 2;
}

int cnd_broadcast(void *condition) {
    return pthread_cond_broadcast(condition) == 0 ? 0 : 2;
}

void call_once(int *flag, void (*routine)(void)) {
    pthread_once(flag, routine);
}

int tss_create(unsigned *key, void (*destructor)(void *)) {
    return pthread_key_create(key, destructor) == 0 ? 0 : 2;
}

void tss_delete(unsigned key) {
    pthread_key_delete(key);
}

int tss_set(unsigned key, void *value) {
    return pthread_setspecific(key, value) == 0 ? 0 : 2;
}

void *tss_get(unsigned key) {
    return pthread_getspecific(key);
}
