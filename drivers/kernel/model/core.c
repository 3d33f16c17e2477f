/* Contexts, locks, waiting, memory, user memory, time. What a lock protects is no matter here: who holds it is counted, and rules look at calls. */
int boolero_interrupt, boolero_spins, boolero_irqs_off, boolero_preempt_off;
/* While a thread holds a mutex, nobody else gets far. */
int boolero_mutexes;
struct task_struct boolero_current;
struct module boolero_module;

int in_interrupt(void) { return boolero_interrupt; }
int in_atomic(void) { return boolero_interrupt || boolero_spins || boolero_irqs_off || boolero_preempt_off; }
int boolero_irqs_disabled(void) { return boolero_irqs_off || boolero_interrupt; }
void boolero_bug(void) { __VERIFIER_assume(0); }
void panic(const char *format, ...) { __VERIFIER_assume(0); }
void emergency_restart(void) { __VERIFIER_assume(0); }
void boolero_stuck(void) { __VERIFIER_assume(0); }

void spin_lock_init(spinlock_t *lock) { lock->held = 0; }
void spin_lock(spinlock_t *lock) { lock->held = 1; boolero_spins++; }
void spin_unlock(spinlock_t *lock) { lock->held = 0; if (boolero_spins) boolero_spins--; }
int spin_trylock(spinlock_t *lock) { if (boolero_any()) return 0; lock->held = 1; boolero_spins++; return 1; }
void spin_lock_irq(spinlock_t *lock) { boolero_irqs_off = 1; lock->held = 1; boolero_spins++; }
void spin_unlock_irq(spinlock_t *lock) { lock->held = 0; if (boolero_spins) boolero_spins--; boolero_irqs_off = 0; }
void spin_lock_bh(spinlock_t *lock) { lock->held = 1; boolero_spins++; }
void spin_unlock_bh(spinlock_t *lock) { lock->held = 0; if (boolero_spins) boolero_spins--; }
unsigned long _spin_lock_irqsave(spinlock_t *lock) { unsigned long flags = (unsigned long)boolero_irqs_off; boolero_irqs_off = 1; lock->held = 1; boolero_spins++; return flags; }
void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags) { lock->held = 0; if (boolero_spins) boolero_spins--; boolero_irqs_off = (int)flags; }
int _spin_trylock_irqsave(spinlock_t *lock, unsigned long *flags) { if (boolero_any()) return 0; *flags = (unsigned long)boolero_irqs_off; boolero_irqs_off = 1; lock->held = 1; boolero_spins++; return 1; }
int spin_is_locked(spinlock_t *lock) { return lock->held || boolero_any(); }
void rwlock_init(rwlock_t *lock) { lock->readers = 0; }
void read_lock(rwlock_t *lock) { lock->readers++; boolero_spins++; }
void read_unlock(rwlock_t *lock) { lock->readers--; if (boolero_spins) boolero_spins--; }
void write_lock(rwlock_t *lock) { lock->writer = 1; boolero_spins++; }
void write_unlock(rwlock_t *lock) { lock->writer = 0; if (boolero_spins) boolero_spins--; }
void read_lock_irq(rwlock_t *lock) { boolero_irqs_off = 1; read_lock(lock); }
void read_unlock_irq(rwlock_t *lock) { read_unlock(lock); boolero_irqs_off = 0; }
void write_lock_irq(rwlock_t *lock) { boolero_irqs_off = 1; write_lock(lock); }
void write_unlock_irq(rwlock_t *lock) { write_unlock(lock); boolero_irqs_off = 0; }
void read_lock_bh(rwlock_t *lock) { read_lock(lock); }
void read_unlock_bh(rwlock_t *lock) { read_unlock(lock); }
void write_lock_bh(rwlock_t *lock) { write_lock(lock); }
void write_unlock_bh(rwlock_t *lock) { write_unlock(lock); }
unsigned long _read_lock_irqsave(rwlock_t *lock) { unsigned long flags = (unsigned long)boolero_irqs_off; boolero_irqs_off = 1; read_lock(lock); return flags; }
unsigned long _write_lock_irqsave(rwlock_t *lock) { unsigned long flags = (unsigned long)boolero_irqs_off; boolero_irqs_off = 1; write_lock(lock); return flags; }
void read_unlock_irqrestore(rwlock_t *lock, unsigned long flags) { read_unlock(lock); boolero_irqs_off = (int)flags; }
void write_unlock_irqrestore(rwlock_t *lock, unsigned long flags) { write_unlock(lock); boolero_irqs_off = (int)flags; }
unsigned long _local_irq_save(void) { unsigned long flags = (unsigned long)boolero_irqs_off; boolero_irqs_off = 1; return flags; }
void local_irq_restore(unsigned long flags) { boolero_irqs_off = (int)flags; }
void local_irq_disable(void) { boolero_irqs_off = 1; }
void local_irq_enable(void) { boolero_irqs_off = 0; }
void local_bh_disable(void) { boolero_preempt_off++; }
void local_bh_enable(void) { boolero_preempt_off--; }
void preempt_disable(void) { boolero_preempt_off++; }
void preempt_enable(void) { boolero_preempt_off--; }

void _mutex_init(struct mutex *mutex) { mutex->held = 0; }
void mutex_destroy(struct mutex *mutex) { }
void mutex_lock(struct mutex *mutex) { boolero_may_sleep(); mutex->held = 1; boolero_mutexes++; }
void mutex_unlock(struct mutex *mutex) { mutex->held = 0; if (boolero_mutexes) boolero_mutexes--; }
int mutex_trylock(struct mutex *mutex) { if (boolero_any()) return 0; mutex->held = 1; boolero_mutexes++; return 1; }
int mutex_lock_interruptible(struct mutex *mutex) { boolero_may_sleep(); if (boolero_fails()) return -EINTR; mutex->held = 1; boolero_mutexes++; return 0; }
int mutex_lock_killable(struct mutex *mutex) { boolero_may_sleep(); if (boolero_fails()) return -EINTR; mutex->held = 1; boolero_mutexes++; return 0; }
int mutex_is_locked(struct mutex *mutex) { return mutex->held || boolero_any(); }
void sema_init(struct semaphore *semaphore, int count) { semaphore->count = count; }
void down(struct semaphore *semaphore) { boolero_may_sleep(); semaphore->count--; }
int down_interruptible(struct semaphore *semaphore) { boolero_may_sleep(); if (boolero_fails()) return -EINTR; semaphore->count--; return 0; }
int down_killable(struct semaphore *semaphore) { boolero_may_sleep(); if (boolero_fails()) return -EINTR; semaphore->count--; return 0; }
int down_trylock(struct semaphore *semaphore) { if (boolero_any()) return 1; semaphore->count--; return 0; }
int down_timeout(struct semaphore *semaphore, long time) { boolero_may_sleep(); if (boolero_fails()) return -ETIME; semaphore->count--; return 0; }
void up(struct semaphore *semaphore) { semaphore->count++; }
void init_rwsem(struct rw_semaphore *semaphore) { semaphore->readers = 0; }
void down_read(struct rw_semaphore *semaphore) { boolero_may_sleep(); semaphore->readers++; }
void up_read(struct rw_semaphore *semaphore) { semaphore->readers--; }
void down_write(struct rw_semaphore *semaphore) { boolero_may_sleep(); semaphore->writer = 1; }
void up_write(struct rw_semaphore *semaphore) { semaphore->writer = 0; }
int down_read_trylock(struct rw_semaphore *semaphore) { if (boolero_any()) return 0; semaphore->readers++; return 1; }
int down_write_trylock(struct rw_semaphore *semaphore) { if (boolero_any()) return 0; semaphore->writer = 1; return 1; }
void rcu_read_lock(void) { boolero_preempt_off++; }
void rcu_read_unlock(void) { boolero_preempt_off--; }
void synchronize_rcu(void) { boolero_may_sleep(); }
void rcu_barrier(void) { boolero_may_sleep(); }

void init_waitqueue_head(wait_queue_head_t *queue) { queue->waiters = 0; }
void wake_up(wait_queue_head_t *queue) { queue->waiters = 0; }
void add_wait_queue(wait_queue_head_t *queue, wait_queue_entry_t *entry) { queue->waiters = 1; }
void remove_wait_queue(wait_queue_head_t *queue, wait_queue_entry_t *entry) { queue->waiters = 0; }
void prepare_to_wait(wait_queue_head_t *queue, wait_queue_entry_t *entry, int state) { queue->waiters = 1; }
void finish_wait(wait_queue_head_t *queue, wait_queue_entry_t *entry) { queue->waiters = 0; }
int waitqueue_active(wait_queue_head_t *queue) { return queue->waiters || boolero_any(); }
void boolero_wait(wait_queue_head_t *queue) { boolero_may_sleep(); queue->waiters = 1; boolero_meanwhile(); queue->waiters = 0; }
void init_completion(struct completion *completion) { completion->done = 0; completion->wait.waiters = 0; }
void reinit_completion(struct completion *completion) { completion->done = 0; }
void complete(struct completion *completion) { completion->done++; }
void complete_all(struct completion *completion) { completion->done = 0x7fffffff; }
void wait_for_completion(struct completion *completion) {
	boolero_may_sleep();
	if (!completion->done)
		boolero_meanwhile();
	if (!completion->done)
		boolero_stuck();
	completion->done--;
}
int wait_for_completion_interruptible(struct completion *completion) {
	if (boolero_fails()) {
		boolero_may_sleep();
		return -ERESTARTSYS;
	}
	wait_for_completion(completion);
	return 0;
}
int wait_for_completion_killable(struct completion *completion) { return wait_for_completion_interruptible(completion); }
unsigned long wait_for_completion_timeout(struct completion *completion, unsigned long time) {
	boolero_may_sleep();
	boolero_meanwhile();
	if (!completion->done || boolero_fails())
		return 0;
	completion->done--;
	return 1;
}
long wait_for_completion_interruptible_timeout(struct completion *completion, unsigned long time) {
	if (boolero_fails())
		return -ERESTARTSYS;
	return (long)wait_for_completion_timeout(completion, time);
}
bool try_wait_for_completion(struct completion *completion) { if (!completion->done) return 0; completion->done--; return 1; }
bool completion_done(struct completion *completion) { return completion->done != 0; }
void schedule(void) { boolero_may_sleep(); boolero_meanwhile(); }
long schedule_timeout(long time) { boolero_may_sleep(); boolero_meanwhile(); return boolero_any() ? 0 : 1; }
long schedule_timeout_interruptible(long time) { return schedule_timeout(time); }
long schedule_timeout_uninterruptible(long time) { return schedule_timeout(time); }
void yield(void) { boolero_may_sleep(); }
void cond_resched(void) { boolero_may_sleep(); }
void msleep(unsigned int time) { boolero_may_sleep(); boolero_meanwhile(); }
unsigned long msleep_interruptible(unsigned int time) { boolero_may_sleep(); boolero_meanwhile(); return boolero_any() ? 0 : 1; }
void ssleep(unsigned int time) { boolero_may_sleep(); boolero_meanwhile(); }
void usleep_range(unsigned long least, unsigned long most) { boolero_may_sleep(); boolero_meanwhile(); }
void fsleep(unsigned long time) { boolero_may_sleep(); }
void cpu_relax(void) { }
int boolero_signal_pending(void) { return boolero_any(); }
unsigned long boolero_jiffies(void) { return __VERIFIER_nondet_ulong(); }
int atomic_cmpxchg(atomic_t *a, int old, int value) { int was = a->counter; if (was == old) a->counter = value; return was; }
int atomic_add_unless(atomic_t *a, int n, int unless) { if (a->counter == unless) return 0; a->counter += n; return 1; }
int atomic_dec_if_positive(atomic_t *a) { if (a->counter > 0) a->counter--; return a->counter; }
void kref_init(struct kref *kref) { refcount_set(&kref->refcount, 1); }
void kref_get(struct kref *kref) { refcount_inc(&kref->refcount); }
int kref_put(struct kref *kref, void (*release)(struct kref *kref)) { if (!refcount_dec_and_test(&kref->refcount)) return 0; release(kref); return 1; }
int kref_get_unless_zero(struct kref *kref) { return refcount_inc_not_zero(&kref->refcount); }
void set_bit(long n, volatile unsigned long *map) { __atomic_fetch_or(&map[BIT_WORD(n)], BIT_MASK(n), __ATOMIC_SEQ_CST); }
void clear_bit(long n, volatile unsigned long *map) { __atomic_fetch_and(&map[BIT_WORD(n)], ~BIT_MASK(n), __ATOMIC_SEQ_CST); }
void change_bit(long n, volatile unsigned long *map) { __atomic_fetch_xor(&map[BIT_WORD(n)], BIT_MASK(n), __ATOMIC_SEQ_CST); }
int test_and_set_bit(long n, volatile unsigned long *map) { return (__atomic_fetch_or(&map[BIT_WORD(n)], BIT_MASK(n), __ATOMIC_SEQ_CST) & BIT_MASK(n)) != 0; }
int test_and_clear_bit(long n, volatile unsigned long *map) { return (__atomic_fetch_and(&map[BIT_WORD(n)], ~BIT_MASK(n), __ATOMIC_SEQ_CST) & BIT_MASK(n)) != 0; }
unsigned long find_next_bit(const unsigned long *map, unsigned long size, unsigned long from) {
	while (from < size && !test_bit((long)from, map))
		from++;
	return from;
}
unsigned long find_next_zero_bit(const unsigned long *map, unsigned long size, unsigned long from) {
	while (from < size && test_bit((long)from, map))
		from++;
	return from;
}

static void boolero_allocating(gfp_t flags) {
	if (flags & __GFP_RECLAIM)
		boolero_may_sleep();
}
void *kmalloc(size_t size, gfp_t flags) { boolero_allocating(flags); return boolero_fails() ? NULL : malloc(size); }
void *kzalloc(size_t size, gfp_t flags) { boolero_allocating(flags); return boolero_fails() ? NULL : calloc(1, size); }
void *kcalloc(size_t count, size_t size, gfp_t flags) { boolero_allocating(flags); return boolero_fails() ? NULL : calloc(count, size); }
void *kmalloc_array(size_t count, size_t size, gfp_t flags) { boolero_allocating(flags); return boolero_fails() ? NULL : malloc(count * size); }
void *kmemdup(const void *source, size_t size, gfp_t flags) {
	void *copy = kmalloc(size, flags);
	if (copy)
		memcpy(copy, source, size);
	return copy;
}
char *kstrdup(const char *text, gfp_t flags) { boolero_allocating(flags); if (!text || boolero_fails()) return NULL; return strcpy(malloc(strlen(text) + 1), text); }
char *kasprintf(gfp_t flags, const char *format, ...) { boolero_allocating(flags); return boolero_fails() ? NULL : calloc(1, 64); }
void kfree(const void *memory) { free((void *)memory); }
void kvfree(const void *memory) { free((void *)memory); }
void *vmalloc(unsigned long size) { boolero_may_sleep(); return boolero_fails() ? NULL : malloc(size); }
void *vzalloc(unsigned long size) { boolero_may_sleep(); return boolero_fails() ? NULL : calloc(1, size); }
void vfree(const void *memory) { free((void *)memory); }
unsigned long __get_free_pages(gfp_t flags, unsigned int order) { boolero_allocating(flags); return boolero_fails() ? 0 : (unsigned long)malloc(PAGE_SIZE << order); }
unsigned long __get_free_page(gfp_t flags) { return __get_free_pages(flags, 0); }
unsigned long get_zeroed_page(gfp_t flags) { boolero_allocating(flags); return boolero_fails() ? 0 : (unsigned long)calloc(1, PAGE_SIZE); }
void free_pages(unsigned long memory, unsigned int order) { free((void *)memory); }
void free_page(unsigned long memory) { free((void *)memory); }

unsigned long copy_to_user(void *to, const void *from, unsigned long count) {
	boolero_may_sleep();
	if (boolero_fails())
		return count;
	if (count)
		(void)*((const volatile char *)from + (count - 1));
	return 0;
}
extern void boolero_fill(void *to, unsigned long count);
unsigned long copy_from_user(void *to, const void *from, unsigned long count) {
	boolero_may_sleep();
	if (boolero_fails())
		return count;
	for (unsigned long i = 0; i < count; i++)
		((unsigned char *)to)[i] = __VERIFIER_nondet_uchar();
	return 0;
}
int boolero_get_user(void) { boolero_may_sleep(); return boolero_fails() ? -EFAULT : 0; }
unsigned long boolero_user_value(void) { return __VERIFIER_nondet_ulong(); }
int boolero_access_ok(void) { return !boolero_fails(); }
int kstrtoul(const char *text, unsigned int base, unsigned long *result) { if (boolero_fails()) return -EINVAL; *result = __VERIFIER_nondet_ulong(); return 0; }
int kstrtol(const char *text, unsigned int base, long *result) { if (boolero_fails()) return -EINVAL; *result = (long)__VERIFIER_nondet_ulong(); return 0; }
int kstrtoint(const char *text, unsigned int base, int *result) { if (boolero_fails()) return -EINVAL; *result = __VERIFIER_nondet_int(); return 0; }
int kstrtouint(const char *text, unsigned int base, unsigned int *result) { if (boolero_fails()) return -EINVAL; *result = __VERIFIER_nondet_uint(); return 0; }
int kstrtou8(const char *text, unsigned int base, u8 *result) { if (boolero_fails()) return -EINVAL; *result = __VERIFIER_nondet_uchar(); return 0; }
int kstrtobool(const char *text, bool *result) { if (boolero_fails()) return -EINVAL; *result = boolero_any(); return 0; }

int try_module_get(struct module *module) { return !boolero_fails(); }
void __module_get(struct module *module) { }
void module_put(struct module *module) { }
