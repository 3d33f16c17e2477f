/* Locks, waiting, counters. A lock remembers whether it is held; who takes it twice waits for ever, which the rules report. */
#include <linux/kernel.h>
#ifndef BOOLERO_SPINLOCK_H
#define BOOLERO_SPINLOCK_H
#include <linux/types.h>

struct lock_class_key { int unused; };
typedef struct spinlock { int held; } spinlock_t, raw_spinlock_t;
typedef struct { int readers; int writer; } rwlock_t;
struct mutex { int held; };
struct rt_mutex { int held; };
struct semaphore { int count; };
struct rw_semaphore { int readers; int writer; };
typedef struct { unsigned int sequence; spinlock_t lock; } seqlock_t;
typedef struct { unsigned int sequence; } seqcount_t;
struct ww_acquire_ctx { int unused; };
struct srcu_struct { int nesting; };

#define __SPIN_LOCK_UNLOCKED(name) { 0 }
#define SPIN_LOCK_UNLOCKED (spinlock_t){ 0 }
#define DEFINE_SPINLOCK(name) spinlock_t name = { 0 }
#define DEFINE_RAW_SPINLOCK(name) raw_spinlock_t name = { 0 }
#define __RAW_SPIN_LOCK_UNLOCKED(name) { 0 }
#define DEFINE_RWLOCK(name) rwlock_t name = { 0, 0 }
#define DEFINE_MUTEX(name) struct mutex name = { 0 }
#define __MUTEX_INITIALIZER(name) { 0 }
#define DEFINE_SEMAPHORE(name, ...) struct semaphore name = { 1 }
#define DECLARE_MUTEX(name) struct semaphore name = { 1 }
#define __SEMAPHORE_INITIALIZER(name, n) { n }
#define DECLARE_RWSEM(name) struct rw_semaphore name = { 0, 0 }
#define DEFINE_SEQLOCK(name) seqlock_t name = { 0, { 0 } }
#define DEFINE_SRCU(name) struct srcu_struct name
#define DEFINE_STATIC_SRCU(name) static struct srcu_struct name

void spin_lock_init(spinlock_t *lock);
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
int spin_trylock(spinlock_t *lock);
void spin_lock_irq(spinlock_t *lock);
void spin_unlock_irq(spinlock_t *lock);
void spin_lock_bh(spinlock_t *lock);
void spin_unlock_bh(spinlock_t *lock);
unsigned long _spin_lock_irqsave(spinlock_t *lock);
void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags);
int _spin_trylock_irqsave(spinlock_t *lock, unsigned long *flags);
int spin_is_locked(spinlock_t *lock);
#define spin_lock_irqsave(lock, flags) ((flags) = _spin_lock_irqsave(lock))
#define spin_lock_irqsave_nested(lock, flags, class) ((flags) = _spin_lock_irqsave(lock))
#define spin_lock_nested(lock, class) spin_lock(lock)
#define spin_trylock_irqsave(lock, flags) _spin_trylock_irqsave(lock, &(flags))
#define assert_spin_locked(lock) ((void)0)
#define lockdep_assert_held(lock) ((void)0)
#define lockdep_set_class(lock, key) ((void)0)
#define lockdep_is_held(lock) 1
#define raw_spin_lock_init spin_lock_init
#define raw_spin_lock spin_lock
#define raw_spin_unlock spin_unlock
#define raw_spin_trylock spin_trylock
#define raw_spin_lock_irq spin_lock_irq
#define raw_spin_unlock_irq spin_unlock_irq
#define raw_spin_lock_irqsave spin_lock_irqsave
#define raw_spin_unlock_irqrestore spin_unlock_irqrestore

void rwlock_init(rwlock_t *lock);
void read_lock(rwlock_t *lock);
void read_unlock(rwlock_t *lock);
void write_lock(rwlock_t *lock);
void write_unlock(rwlock_t *lock);
void read_lock_irq(rwlock_t *lock);
void read_unlock_irq(rwlock_t *lock);
void write_lock_irq(rwlock_t *lock);
void write_unlock_irq(rwlock_t *lock);
void read_lock_bh(rwlock_t *lock);
void read_unlock_bh(rwlock_t *lock);
void write_lock_bh(rwlock_t *lock);
void write_unlock_bh(rwlock_t *lock);
unsigned long _read_lock_irqsave(rwlock_t *lock);
unsigned long _write_lock_irqsave(rwlock_t *lock);
void read_unlock_irqrestore(rwlock_t *lock, unsigned long flags);
void write_unlock_irqrestore(rwlock_t *lock, unsigned long flags);
#define read_lock_irqsave(lock, flags) ((flags) = _read_lock_irqsave(lock))
#define write_lock_irqsave(lock, flags) ((flags) = _write_lock_irqsave(lock))

unsigned long _local_irq_save(void);
#define local_irq_save(flags) ((flags) = _local_irq_save())
#define local_save_flags(flags) ((flags) = 0)
#define irqs_disabled() boolero_irqs_disabled()
int boolero_irqs_disabled(void);
void local_irq_restore(unsigned long flags);
void local_irq_disable(void);
void local_irq_enable(void);
void local_bh_disable(void);
void local_bh_enable(void);
void preempt_disable(void);
void preempt_enable(void);
int in_interrupt(void);
int in_atomic(void);
#define in_irq in_interrupt
#define in_softirq in_interrupt
#define in_serving_softirq in_interrupt

#define mutex_init(mutex) _mutex_init(mutex)
#define __mutex_init(mutex, name, key) _mutex_init(mutex)
void _mutex_init(struct mutex *mutex);
void mutex_destroy(struct mutex *mutex);
void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);
int mutex_trylock(struct mutex *mutex);
int mutex_lock_interruptible(struct mutex *mutex);
int mutex_lock_killable(struct mutex *mutex);
int mutex_is_locked(struct mutex *mutex);
#define mutex_lock_nested(mutex, class) mutex_lock(mutex)
#define mutex_lock_io mutex_lock
#define devm_mutex_init(dev, mutex) (_mutex_init(mutex), 0)

void sema_init(struct semaphore *semaphore, int count);
#define init_MUTEX(semaphore) sema_init(semaphore, 1)
#define init_MUTEX_LOCKED(semaphore) sema_init(semaphore, 0)
void down(struct semaphore *semaphore);
int down_interruptible(struct semaphore *semaphore);
int down_killable(struct semaphore *semaphore);
int down_trylock(struct semaphore *semaphore);
int down_timeout(struct semaphore *semaphore, long time);
void up(struct semaphore *semaphore);
void init_rwsem(struct rw_semaphore *semaphore);
void down_read(struct rw_semaphore *semaphore);
void up_read(struct rw_semaphore *semaphore);
void down_write(struct rw_semaphore *semaphore);
void up_write(struct rw_semaphore *semaphore);
int down_read_trylock(struct rw_semaphore *semaphore);
int down_write_trylock(struct rw_semaphore *semaphore);

struct task_struct;
typedef struct wait_queue_head { int waiters; } wait_queue_head_t;
typedef struct wait_queue_entry { void *task; struct list_head entry; } wait_queue_entry_t, wait_queue_t;
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name = { 0 }
#define DECLARE_WAIT_QUEUE_HEAD_ONSTACK DECLARE_WAIT_QUEUE_HEAD
#define __WAIT_QUEUE_HEAD_INITIALIZER(name) { 0 }
#define DECLARE_WAITQUEUE(name, task) wait_queue_entry_t name = { 0 }
#define DEFINE_WAIT(name) wait_queue_entry_t name = { 0 }
void init_waitqueue_head(wait_queue_head_t *queue);
void add_wait_queue(wait_queue_head_t *queue, wait_queue_entry_t *entry);
void remove_wait_queue(wait_queue_head_t *queue, wait_queue_entry_t *entry);
void prepare_to_wait(wait_queue_head_t *queue, wait_queue_entry_t *entry, int state);
void finish_wait(wait_queue_head_t *queue, wait_queue_entry_t *entry);
int waitqueue_active(wait_queue_head_t *queue);
void wake_up(wait_queue_head_t *queue);
#define wake_up_all wake_up
#define wake_up_interruptible wake_up
#define wake_up_interruptible_all wake_up
#define wake_up_interruptible_sync wake_up
#define wake_up_poll(queue, mask) wake_up(queue)
#define wake_up_interruptible_poll(queue, mask) wake_up(queue)
#define wake_up_locked wake_up
#define wake_up_bit(word, bit) ((void)0)
/* A wait ends when its condition holds, early by a signal, or after its time. Before it ends, other callbacks run. */
void boolero_wait(wait_queue_head_t *queue);
void boolero_stuck(void);
#define boolero_until(queue, condition) do { boolero_wait(&(queue)); if (!(condition)) { boolero_wait(&(queue)); if (!(condition)) boolero_stuck(); } } while (0)
#define wait_event(queue, condition) boolero_until(queue, condition)
#define wait_event_interruptible(queue, condition) ({ int boolero_r = 0; boolero_wait(&(queue)); if (!(condition)) { if (boolero_any()) boolero_r = -ERESTARTSYS; else boolero_until(queue, condition); } boolero_r; })
#define wait_event_killable wait_event_interruptible
#define wait_event_freezable wait_event_interruptible
#define wait_event_timeout(queue, condition, time) ({ boolero_wait(&(queue)); (condition) ? 1L : 0L; })
#define wait_event_interruptible_timeout(queue, condition, time) ({ boolero_wait(&(queue)); (condition) ? 1L : (boolero_any() ? 0L : (long)-ERESTARTSYS); })
#define wait_event_lock_irq(queue, condition, lock) do { spin_unlock_irq(&(lock)); boolero_wait(&(queue)); spin_lock_irq(&(lock)); if (!(condition)) boolero_stuck(); } while (0)
#define wait_event_interruptible_lock_irq(queue, condition, lock) ({ spin_unlock_irq(&(lock)); boolero_wait(&(queue)); spin_lock_irq(&(lock)); (condition) ? 0 : -ERESTARTSYS; })
#define wait_event_interruptible_exclusive wait_event_interruptible

struct completion { unsigned int done; wait_queue_head_t wait; };
#define DECLARE_COMPLETION(name) struct completion name = { 0, { 0 } }
#define DECLARE_COMPLETION_ONSTACK DECLARE_COMPLETION
#define COMPLETION_INITIALIZER_ONSTACK(name) { 0, { 0 } }
void init_completion(struct completion *completion);
void reinit_completion(struct completion *completion);
#define INIT_COMPLETION(completion) reinit_completion(&(completion))
void complete(struct completion *completion);
void complete_all(struct completion *completion);
void wait_for_completion(struct completion *completion);
int wait_for_completion_interruptible(struct completion *completion);
int wait_for_completion_killable(struct completion *completion);
unsigned long wait_for_completion_timeout(struct completion *completion, unsigned long time);
long wait_for_completion_interruptible_timeout(struct completion *completion, unsigned long time);
#define wait_for_completion_killable_timeout wait_for_completion_interruptible_timeout
bool try_wait_for_completion(struct completion *completion);
bool completion_done(struct completion *completion);

#define ATOMIC_INIT(value) { (value) }
#define ATOMIC_LONG_INIT(value) { (value) }
static inline int atomic_read(const atomic_t *a) { return a->counter; }
static inline void atomic_set(atomic_t *a, int value) { a->counter = value; }
#define atomic_long_read atomic64_read
#define atomic_long_set atomic64_set
#define atomic_long_inc atomic64_inc
static inline long atomic64_read(const atomic64_t *a) { return a->counter; }
static inline void atomic64_set(atomic64_t *a, long value) { a->counter = value; }
static inline void atomic64_inc(atomic64_t *a) { __atomic_fetch_add(&a->counter, 1, __ATOMIC_SEQ_CST); }
static inline long atomic64_inc_return(atomic64_t *a) { return __atomic_add_fetch(&a->counter, 1, __ATOMIC_SEQ_CST); }
static inline void atomic64_add(long n, atomic64_t *a) { __atomic_fetch_add(&a->counter, n, __ATOMIC_SEQ_CST); }
static inline void atomic_inc(atomic_t *a) { __atomic_fetch_add(&a->counter, 1, __ATOMIC_SEQ_CST); }
static inline void atomic_dec(atomic_t *a) { __atomic_fetch_sub(&a->counter, 1, __ATOMIC_SEQ_CST); }
static inline void atomic_add(int n, atomic_t *a) { __atomic_fetch_add(&a->counter, n, __ATOMIC_SEQ_CST); }
static inline void atomic_sub(int n, atomic_t *a) { __atomic_fetch_sub(&a->counter, n, __ATOMIC_SEQ_CST); }
static inline int atomic_add_return(int n, atomic_t *a) { return __atomic_add_fetch(&a->counter, n, __ATOMIC_SEQ_CST); }
static inline int atomic_sub_return(int n, atomic_t *a) { return __atomic_sub_fetch(&a->counter, n, __ATOMIC_SEQ_CST); }
static inline int atomic_inc_return(atomic_t *a) { return atomic_add_return(1, a); }
static inline int atomic_dec_return(atomic_t *a) { return atomic_sub_return(1, a); }
static inline int atomic_inc_and_test(atomic_t *a) { return atomic_add_return(1, a) == 0; }
static inline int atomic_dec_and_test(atomic_t *a) { return atomic_sub_return(1, a) == 0; }
static inline int atomic_sub_and_test(int n, atomic_t *a) { return atomic_sub_return(n, a) == 0; }
static inline int atomic_fetch_add(int n, atomic_t *a) { return __atomic_fetch_add(&a->counter, n, __ATOMIC_SEQ_CST); }
static inline int atomic_xchg(atomic_t *a, int value) { return __atomic_exchange_n(&a->counter, value, __ATOMIC_SEQ_CST); }
int atomic_cmpxchg(atomic_t *a, int old, int value);
int atomic_add_unless(atomic_t *a, int n, int unless);
#define atomic_inc_not_zero(a) atomic_add_unless(a, 1, 0)
int atomic_dec_if_positive(atomic_t *a);
#define xchg(pointer, value) __atomic_exchange_n(pointer, value, __ATOMIC_SEQ_CST)
#define cmpxchg(pointer, old, value) __sync_val_compare_and_swap(pointer, old, value)
int atomic_dec_and_mutex_lock(atomic_t *a, struct mutex *mutex);

typedef struct refcount_struct { atomic_t refs; } refcount_t;
#define REFCOUNT_INIT(n) { { (n) } }
static inline void refcount_set(refcount_t *r, int n) { atomic_set(&r->refs, n); }
static inline unsigned int refcount_read(const refcount_t *r) { return (unsigned int)atomic_read(&r->refs); }
static inline void refcount_inc(refcount_t *r) { atomic_inc(&r->refs); }
static inline void refcount_dec(refcount_t *r) { atomic_dec(&r->refs); }
static inline bool refcount_dec_and_test(refcount_t *r) { return atomic_dec_and_test(&r->refs); }
static inline bool refcount_inc_not_zero(refcount_t *r) { return atomic_inc_not_zero(&r->refs); }
struct kref { refcount_t refcount; };
void kref_init(struct kref *kref);
void kref_get(struct kref *kref);
int kref_put(struct kref *kref, void (*release)(struct kref *kref));
int kref_get_unless_zero(struct kref *kref);
int kref_put_mutex(struct kref *kref, void (*release)(struct kref *kref), struct mutex *mutex);
#define kref_read(kref) refcount_read(&(kref)->refcount)

void rcu_read_lock(void);
void rcu_read_unlock(void);
void synchronize_rcu(void);
void rcu_barrier(void);
void call_rcu(struct rcu_head *head, void (*function)(struct rcu_head *head));
#define rcu_dereference(p) (p)
#define rcu_dereference_protected(p, c) (p)
#define rcu_dereference_raw(p) (p)
#define rcu_access_pointer(p) (p)
#define rcu_assign_pointer(p, v) ((p) = (v))
#define RCU_INIT_POINTER(p, v) ((p) = (v))
#define kfree_rcu(p, member) kfree(p)
int init_srcu_struct(struct srcu_struct *srcu);
void cleanup_srcu_struct(struct srcu_struct *srcu);
int srcu_read_lock(struct srcu_struct *srcu);
void srcu_read_unlock(struct srcu_struct *srcu, int index);
void synchronize_srcu(struct srcu_struct *srcu);
#define synchronize_sched synchronize_rcu

void seqlock_init(seqlock_t *lock);
void write_seqlock(seqlock_t *lock);
void write_sequnlock(seqlock_t *lock);
unsigned int read_seqbegin(const seqlock_t *lock);
unsigned int read_seqretry(const seqlock_t *lock, unsigned int start);
#endif
