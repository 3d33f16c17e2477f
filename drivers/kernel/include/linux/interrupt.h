/* Interrupts, timers, deferred work, threads. */
#include <linux/kernel.h>
#ifndef BOOLERO_INTERRUPT_H
#define BOOLERO_INTERRUPT_H
#include <linux/types.h>
#include <linux/spinlock.h>
struct device; struct device_node; struct irq_domain; struct irq_chip; struct irq_desc; struct irq_data; struct resource; struct fwnode_handle;

enum irqreturn { IRQ_NONE, IRQ_HANDLED, IRQ_WAKE_THREAD };
#define IRQ_RETVAL(x) ((x) ? IRQ_HANDLED : IRQ_NONE)
typedef irqreturn_t (*irq_handler_t)(int irq, void *data);
#define IRQF_TRIGGER_NONE 0
#define IRQF_TRIGGER_RISING 1
#define IRQF_TRIGGER_FALLING 2
#define IRQF_TRIGGER_HIGH 4
#define IRQF_TRIGGER_LOW 8
#define IRQF_TRIGGER_MASK 15
#define IRQF_TRIGGER_PROBE 16
#define IRQF_DISABLED 0x20
#define IRQF_SAMPLE_RANDOM 0x40
#define IRQF_SHARED 0x80
#define SA_SHIRQ IRQF_SHARED
#define SA_INTERRUPT IRQF_DISABLED
#define IRQF_TIMER 0x200
#define IRQF_NOBALANCING 0x800
#define IRQF_ONESHOT 0x2000
#define IRQF_NO_SUSPEND 0x4000
#define IRQF_EARLY_RESUME 0x20000
#define IRQF_NO_THREAD 0x10000
#define IRQF_COND_SUSPEND 0x40000
#define IRQF_NO_AUTOEN 0x80000
#define IRQ_NOTCONNECTED 0x80000000u
#define IRQ_TYPE_NONE 0
#define IRQ_TYPE_EDGE_RISING 1
#define IRQ_TYPE_EDGE_FALLING 2
#define IRQ_TYPE_EDGE_BOTH 3
#define IRQ_TYPE_LEVEL_HIGH 4
#define IRQ_TYPE_LEVEL_LOW 8
#define IRQ_TYPE_LEVEL_MASK 12
#define IRQ_TYPE_SENSE_MASK 15
#define IRQ_NOREQUEST 0x800
#define IRQ_NOPROBE 0x400
#define IRQ_NOAUTOEN 0x1000
#define IRQ_NO_BALANCING 0x2000
int request_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *data);
int request_threaded_irq(unsigned int irq, irq_handler_t handler, irq_handler_t thread, unsigned long flags, const char *name, void *data);
int request_any_context_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *data);
const void *free_irq(unsigned int irq, void *data);
int devm_request_irq(struct device *dev, unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *data);
int devm_request_threaded_irq(struct device *dev, unsigned int irq, irq_handler_t handler, irq_handler_t thread, unsigned long flags, const char *name, void *data);
int devm_request_any_context_irq(struct device *dev, unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *data);
void devm_free_irq(struct device *dev, unsigned int irq, void *data);
void disable_irq(unsigned int irq);
void disable_irq_nosync(unsigned int irq);
void enable_irq(unsigned int irq);
void synchronize_irq(unsigned int irq);
static inline int enable_irq_wake(unsigned int irq) { return 0; }
static inline int disable_irq_wake(unsigned int irq) { return 0; }
static inline int irq_set_irq_wake(unsigned int irq, unsigned int on) { return 0; }
static inline int irq_set_irq_type(unsigned int irq, unsigned int type) { return 0; }
#define set_irq_type irq_set_irq_type
static inline int irq_set_affinity_hint(unsigned int irq, const void *mask) { return 0; }
static inline void irq_set_status_flags(unsigned int irq, unsigned long flags) {}
static inline void irq_clear_status_flags(unsigned int irq, unsigned long flags) {}
static inline void irq_modify_status(unsigned int irq, unsigned long clear, unsigned long set) {}
static inline void irq_set_noprobe(unsigned int irq) {}
static inline void irq_set_probe(unsigned int irq) {}
static inline unsigned int irq_get_trigger_type(unsigned int irq) { return __VERIFIER_nondet_uint(); }
#define __irq_set_handler_locked(irq, handler) ((void)(irq))
#define IRQ_SET_MASK_OK 0
#define set_irq_flags(irq, flags) ((void)(irq))
#define IRQF_VALID 1
#define IRQF_PROBE 2

/* Interrupt controllers. */
struct irq_common_data { void *handler_data; };
struct irq_data { u32 mask; unsigned int irq; unsigned long hwirq; struct irq_chip *chip; struct irq_domain *domain; void *chip_data; struct irq_common_data *common; };
typedef void (*irq_flow_handler_t)();
struct irqaction { irq_handler_t handler; void *dev_id; const char *name; unsigned long flags; };
struct irq_desc { struct irq_data irq_data; irq_flow_handler_t handle_irq; struct irqaction *action; void *handler_data; const char *name; raw_spinlock_t lock; unsigned int status; };
struct irq_chip { const char *name; struct device *parent_device; unsigned int (*irq_startup)(struct irq_data *); void (*irq_shutdown)(struct irq_data *); void (*irq_enable)(struct irq_data *); void (*irq_disable)(struct irq_data *); void (*irq_ack)(struct irq_data *); void (*irq_mask)(struct irq_data *); void (*irq_mask_ack)(struct irq_data *); void (*irq_unmask)(struct irq_data *); void (*irq_eoi)(struct irq_data *); int (*irq_set_affinity)(); int (*irq_retrigger)(struct irq_data *); int (*irq_set_type)(struct irq_data *, unsigned int); int (*irq_set_wake)(struct irq_data *, unsigned int); void (*irq_bus_lock)(struct irq_data *); void (*irq_bus_sync_unlock)(struct irq_data *); int (*irq_request_resources)(struct irq_data *); void (*irq_release_resources)(struct irq_data *); void (*irq_print_chip)(); void (*irq_suspend)(struct irq_data *); void (*irq_resume)(struct irq_data *); void (*irq_cpu_online)(struct irq_data *); void (*irq_cpu_offline)(struct irq_data *); unsigned long flags; };
#define IRQCHIP_SET_TYPE_MASKED 1
#define IRQCHIP_EOI_IF_HANDLED 2
#define IRQCHIP_MASK_ON_SUSPEND 4
#define IRQCHIP_SKIP_SET_WAKE 16
#define IRQCHIP_ONESHOT_SAFE 32
#define IRQCHIP_IMMUTABLE 2048
struct irq_chip_regs { unsigned long enable, disable, mask, ack, eoi, type, polarity; };
struct irq_chip_type { struct irq_chip chip; struct irq_chip_regs regs; irq_flow_handler_t handler; u32 type; u32 mask_cache_priv; u32 *mask_cache; };
struct irq_chip_generic { raw_spinlock_t lock; void *reg_base; u32 mask_cache, type_cache, polarity_cache, wake_enabled, wake_active; unsigned int irq_base, irq_cnt; void *private; struct irq_domain *domain; struct irq_chip_type chip_types[2]; };
enum irq_gc_flags { IRQ_GC_INIT_MASK_CACHE = 1, IRQ_GC_INIT_NESTED_LOCK = 2, IRQ_GC_MASK_CACHE_PER_TYPE = 4, IRQ_GC_NO_MASK = 8, IRQ_GC_BE_IO = 16 };
struct irq_fwspec { struct fwnode_handle *fwnode; int param_count; u32 param[16]; };
struct irq_domain_ops { int (*match)(); int (*select)(); int (*map)(struct irq_domain *, unsigned int, irq_hw_number_t); void (*unmap)(struct irq_domain *, unsigned int); int (*xlate)(); int (*alloc)(); void (*free)(); int (*activate)(); void (*deactivate)(); int (*translate)(); };
struct irq_domain { const char *name; const struct irq_domain_ops *ops; void *host_data; struct irq_domain *parent; void *gc; unsigned int flags; struct fwnode_handle *fwnode; };
static inline void *irq_data_get_irq_chip_data(struct irq_data *d) { return d->chip_data; }
#define irq_data_get_irq_handler_data(d) ((d)->common->handler_data)
static inline unsigned long irqd_to_hwirq(struct irq_data *d) { return d->hwirq; }
static inline unsigned int irqd_get_trigger_type(struct irq_data *d) { return __VERIFIER_nondet_uint(); }
static inline void irqd_set_trigger_type(struct irq_data *d, u32 type) {}
static inline void *irq_desc_get_handler_data(struct irq_desc *d) { return d->handler_data; }
static inline struct irq_chip *irq_desc_get_chip(struct irq_desc *d) { return d->irq_data.chip; }
static inline struct irq_data *irq_desc_get_irq_data(struct irq_desc *d) { return &d->irq_data; }
static inline unsigned int irq_desc_get_irq(struct irq_desc *d) { return d->irq_data.irq; }
static inline void *irq_desc_get_chip_data(struct irq_desc *d) { return d->irq_data.chip_data; }
static inline void chained_irq_enter(struct irq_chip *chip, struct irq_desc *d) {}
static inline void chained_irq_exit(struct irq_chip *chip, struct irq_desc *d) {}
struct irq_desc *irq_to_desc(unsigned int irq);
struct irq_data *irq_get_irq_data(unsigned int irq);
void *irq_get_handler_data(unsigned int irq);
void *irq_get_chip_data(unsigned int irq);
struct irq_chip *irq_get_chip(unsigned int irq);
#define irq_data_get_chip_type(d) boolero_chip_type(d)
struct irq_chip_type *boolero_chip_type(struct irq_data *d);
static inline int irq_set_handler_data(unsigned int irq, void *data) { return 0; }
static inline int irq_set_chip_data(unsigned int irq, void *data) { return 0; }
static inline int irq_set_chip(unsigned int irq, const struct irq_chip *chip) { return 0; }
static inline void irq_set_chip_and_handler(unsigned int irq, const struct irq_chip *chip, irq_flow_handler_t handler) {}
static inline void irq_set_chip_and_handler_name(unsigned int irq, const struct irq_chip *chip, irq_flow_handler_t handler, const char *name) {}
static inline void irq_set_handler(unsigned int irq, irq_flow_handler_t handler) {}
static inline void irq_set_handler_locked(struct irq_data *d, irq_flow_handler_t handler) {}
static inline void irq_set_nested_thread(unsigned int irq, bool nested) {}
static inline void irq_set_parent(unsigned int irq, int parent) {}
static inline void irq_set_lockdep_class(unsigned int irq, struct lock_class_key *a, struct lock_class_key *b) {}
void irq_set_chained_handler(unsigned int irq, irq_flow_handler_t handler);
void irq_set_chained_handler_and_data(unsigned int irq, irq_flow_handler_t handler, void *data);
void handle_simple_irq(struct irq_desc *d);
void handle_level_irq(struct irq_desc *d);
void handle_edge_irq(struct irq_desc *d);
void handle_bad_irq(struct irq_desc *d);
void handle_fasteoi_irq(struct irq_desc *d);
void handle_nested_irq(unsigned int irq);
int generic_handle_irq(unsigned int irq);
int generic_handle_domain_irq(struct irq_domain *domain, unsigned int hwirq);
unsigned int irq_find_mapping(struct irq_domain *domain, irq_hw_number_t hwirq);
unsigned int irq_linear_revmap(struct irq_domain *domain, irq_hw_number_t hwirq);
unsigned int irq_create_mapping(struct irq_domain *domain, irq_hw_number_t hwirq);
unsigned int irq_create_fwspec_mapping(struct irq_fwspec *fwspec);
void irq_dispose_mapping(unsigned int irq);
struct irq_domain *irq_domain_add_linear(struct device_node *node, unsigned int size, const struct irq_domain_ops *ops, void *data);
struct irq_domain *irq_domain_add_simple(struct device_node *node, unsigned int size, unsigned int first, const struct irq_domain_ops *ops, void *data);
struct irq_domain *irq_domain_add_legacy(struct device_node *node, unsigned int size, unsigned int first, irq_hw_number_t first_hw, const struct irq_domain_ops *ops, void *data);
struct irq_domain *irq_domain_create_linear(struct fwnode_handle *node, unsigned int size, const struct irq_domain_ops *ops, void *data);
void irq_domain_remove(struct irq_domain *domain);
int irq_domain_xlate_onecell();
int irq_domain_xlate_twocell();
int irq_domain_xlate_onetwocell();
extern const struct irq_domain_ops irq_domain_simple_ops;
extern const struct irq_domain_ops irq_generic_chip_ops;
struct irq_chip_generic *irq_alloc_generic_chip(const char *name, int types, unsigned int base, void *registers, irq_flow_handler_t handler);
struct irq_chip_generic *devm_irq_alloc_generic_chip(struct device *dev, const char *name, int types, unsigned int base, void *registers, irq_flow_handler_t handler);
void irq_setup_generic_chip(struct irq_chip_generic *chip, u32 mask, enum irq_gc_flags flags, unsigned int clear, unsigned int set);
void irq_remove_generic_chip(struct irq_chip_generic *chip, u32 mask, unsigned int clear, unsigned int set);
int devm_irq_setup_generic_chip(struct device *dev, struct irq_chip_generic *chip, u32 mask, enum irq_gc_flags flags, unsigned int clear, unsigned int set);
int irq_alloc_domain_generic_chips(struct irq_domain *domain, int per_chip, int types, const char *name, irq_flow_handler_t handler, unsigned int clear, unsigned int set, unsigned int flags);
struct irq_chip_generic *irq_get_domain_generic_chip(struct irq_domain *domain, unsigned int hwirq);
void irq_gc_mask_clr_bit(struct irq_data *d);
void irq_gc_mask_set_bit(struct irq_data *d);
void irq_gc_ack_set_bit(struct irq_data *d);
void irq_gc_ack_clr_bit(struct irq_data *d);
void irq_gc_mask_disable_reg(struct irq_data *d);
void irq_gc_unmask_enable_reg(struct irq_data *d);
void irq_gc_eoi(struct irq_data *d);
int irq_gc_set_wake(struct irq_data *d, unsigned int on);
#define irq_gc_lock(chip) spin_lock(&(chip)->lock)
#define irq_gc_unlock(chip) spin_unlock(&(chip)->lock)
#define irq_reg_writel(chip, value, offset) ((void)(value))
#define irq_reg_readl(chip, offset) __VERIFIER_nondet_uint()
int irq_alloc_descs(int irq, unsigned int from, unsigned int count, int node);
int irq_alloc_desc(int node);
int devm_irq_alloc_descs(struct device *dev, int irq, unsigned int from, unsigned int count, int node);
void irq_free_descs(unsigned int irq, unsigned int count);
void irq_free_desc(unsigned int irq);

/* Timers. Those of before 4.15 get a number, later ones the timer. */
struct timer_list { struct list_head entry; unsigned long expires; void (*function)(); unsigned long data; int boolero_pending; int boolero_old; u32 flags; };
#define DEFINE_TIMER(name, fn, ...) struct timer_list name = BOOLERO_TIMER_(fn, ##__VA_ARGS__, 0, 0, 0)
#define BOOLERO_TIMER_(fn, ex, dt, ...) { .function = (void (*)())fn, .data = (unsigned long)(dt), .boolero_old = BOOLERO_OLD_TIMERS }
#define TIMER_INITIALIZER(fn, ex, dt) { .function = (void (*)())fn, .data = (unsigned long)(dt), .boolero_old = 1 }
#ifndef BOOLERO_OLD_TIMERS
#define BOOLERO_OLD_TIMERS 0
#endif
#define TIMER_DEFERRABLE 1
#define TIMER_IRQSAFE 2
void _timer_setup(struct timer_list *timer, void (*function)(struct timer_list *));
#define timer_setup(timer, fn, flags) _timer_setup(timer, fn)
#define timer_setup_on_stack timer_setup
void init_timer(struct timer_list *timer);
#define init_timer_deferrable init_timer
#define init_timer_on_stack init_timer
void _setup_timer(struct timer_list *timer, void (*function)(unsigned long), unsigned long data);
#define setup_timer(timer, fn, value) _setup_timer(timer, (void (*)(unsigned long))(fn), (unsigned long)(value))
#define setup_timer_on_stack setup_timer
#define setup_deferrable_timer setup_timer
int mod_timer(struct timer_list *timer, unsigned long expires);
void add_timer(struct timer_list *timer);
#define mod_timer_pending mod_timer
int del_timer(struct timer_list *timer);
int del_timer_sync(struct timer_list *timer);
int try_to_del_timer_sync(struct timer_list *timer);
#define timer_delete del_timer
#define timer_delete_sync del_timer_sync
#define timer_shutdown_sync del_timer_sync
#define destroy_timer_on_stack(timer) ((void)0)
static inline int timer_pending(const struct timer_list *timer) { return timer->boolero_pending; }
#define from_timer(variable, timer, member) container_of(timer, __typeof__(*(variable)), member)
enum hrtimer_restart { HRTIMER_NORESTART, HRTIMER_RESTART };
enum hrtimer_mode { HRTIMER_MODE_ABS, HRTIMER_MODE_REL, HRTIMER_MODE_REL_PINNED = 3, HRTIMER_MODE_REL_SOFT = 5 };
struct hrtimer { enum hrtimer_restart (*function)(struct hrtimer *); int boolero_pending; ktime_t expires; };
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
void hrtimer_init(struct hrtimer *timer, clockid_t clock, enum hrtimer_mode mode);
void hrtimer_start(struct hrtimer *timer, ktime_t time, const enum hrtimer_mode mode);
#define hrtimer_start_range_ns(timer, time, range, mode) hrtimer_start(timer, time, mode)
int hrtimer_cancel(struct hrtimer *timer);
int hrtimer_try_to_cancel(struct hrtimer *timer);
u64 hrtimer_forward(struct hrtimer *timer, ktime_t now, ktime_t interval);
u64 hrtimer_forward_now(struct hrtimer *timer, ktime_t interval);
static inline int hrtimer_active(const struct hrtimer *timer) { return timer->boolero_pending; }
ktime_t hrtimer_get_remaining(const struct hrtimer *timer);
#define hrtimer_cb_get_time(timer) ktime_get()

/* Deferred work. */
struct work_struct; struct workqueue_struct;
typedef void (*work_func_t)(struct work_struct *work);
struct work_struct { work_func_t func; struct list_head entry; int boolero_pending; struct workqueue_struct *boolero_queue; };
struct delayed_work { struct work_struct work; struct timer_list timer; };
struct rcu_work { struct work_struct work; };
#define __WORK_INITIALIZER(name, fn) { .func = (fn) }
#define DECLARE_WORK(name, fn) struct work_struct name = { .func = (fn) }
#define DECLARE_DELAYED_WORK(name, fn) struct delayed_work name = { .work = { .func = (fn) } }
void _init_work(struct work_struct *work, work_func_t function);
#define INIT_WORK(item, fn) _init_work(item, (work_func_t)(fn))
#define INIT_WORK_ONSTACK INIT_WORK
#define INIT_DELAYED_WORK(item, fn) _init_work(&(item)->work, (work_func_t)(fn))
#define INIT_DEFERRABLE_WORK INIT_DELAYED_WORK
#define INIT_DELAYED_WORK_DEFERRABLE INIT_DELAYED_WORK
static inline struct delayed_work *to_delayed_work(struct work_struct *work) { return container_of(work, struct delayed_work, work); }
#define work_pending(item) ((item)->boolero_pending)
#define delayed_work_pending(item) ((item)->work.boolero_pending)
extern struct workqueue_struct *system_wq, *system_long_wq, *system_unbound_wq, *system_freezable_wq, *system_power_efficient_wq, *system_highpri_wq, *system_freezable_power_efficient_wq;
#define WQ_UNBOUND 2
#define WQ_FREEZABLE 4
#define WQ_MEM_RECLAIM 8
#define WQ_HIGHPRI 16
#define WQ_SYSFS 64
#define WQ_CPU_INTENSIVE 32
bool schedule_work(struct work_struct *work);
bool queue_work(struct workqueue_struct *queue, struct work_struct *work);
bool schedule_delayed_work(struct delayed_work *work, unsigned long delay);
bool queue_delayed_work(struct workqueue_struct *queue, struct delayed_work *work, unsigned long delay);
bool mod_delayed_work(struct workqueue_struct *queue, struct delayed_work *work, unsigned long delay);
#define queue_work_on(cpu, queue, item) queue_work(queue, item)
#define schedule_work_on(cpu, item) schedule_work(item)
bool cancel_work_sync(struct work_struct *work);
bool cancel_work(struct work_struct *work);
bool flush_work(struct work_struct *work);
bool cancel_delayed_work(struct delayed_work *work);
bool cancel_delayed_work_sync(struct delayed_work *work);
bool flush_delayed_work(struct delayed_work *work);
#define flush_work_sync flush_work
#define cancel_rearming_delayed_work cancel_delayed_work_sync
void flush_scheduled_work(void);
void flush_workqueue(struct workqueue_struct *queue);
#define drain_workqueue flush_workqueue
struct workqueue_struct *_alloc_workqueue(void);
#define alloc_workqueue(...) _alloc_workqueue()
#define alloc_ordered_workqueue(...) _alloc_workqueue()
#define create_workqueue(name) _alloc_workqueue()
#define create_singlethread_workqueue(name) _alloc_workqueue()
#define create_freezable_workqueue(name) _alloc_workqueue()
void destroy_workqueue(struct workqueue_struct *queue);
int devm_delayed_work_autocancel(struct device *dev, struct delayed_work *work, work_func_t function);
int devm_work_autocancel(struct device *dev, struct work_struct *work, work_func_t function);
struct tasklet_struct { struct tasklet_struct *next; unsigned long state; atomic_t count; bool use_callback; void (*func)(unsigned long); void (*callback)(struct tasklet_struct *); unsigned long data; int boolero_pending; };
#define DECLARE_TASKLET_OLD(name, fn) struct tasklet_struct name = { .func = (fn) }
#define DECLARE_TASKLET(name, fn, ...) struct tasklet_struct name = { .func = (void (*)(unsigned long))(fn) }
#define from_tasklet(variable, tasklet, member) container_of(tasklet, __typeof__(*(variable)), member)
void tasklet_init(struct tasklet_struct *tasklet, void (*function)(unsigned long), unsigned long data);
void tasklet_setup(struct tasklet_struct *tasklet, void (*callback)(struct tasklet_struct *));
void tasklet_schedule(struct tasklet_struct *tasklet);
#define tasklet_hi_schedule tasklet_schedule
void tasklet_kill(struct tasklet_struct *tasklet);
void tasklet_disable(struct tasklet_struct *tasklet);
#define tasklet_disable_nosync tasklet_disable
void tasklet_enable(struct tasklet_struct *tasklet);
struct irq_work { void (*func)(struct irq_work *); };

/* Tasks. */
struct mm_struct; struct files_struct; struct pid; struct cred { uid_t uid, euid; };
struct task_struct { volatile long state; pid_t pid; pid_t tgid; unsigned int flags; char comm[16]; struct mm_struct *mm; struct task_struct *group_leader; int boolero_stop; const struct cred *cred; int exit_code; };
extern struct task_struct boolero_current;
#define current (&boolero_current)
#define TASK_RUNNING 0
#define TASK_INTERRUPTIBLE 1
#define TASK_UNINTERRUPTIBLE 2
#define TASK_KILLABLE 0x102
#define PF_NOFREEZE 0x8000
#define PF_KTHREAD 0x200000
#define MAX_SCHEDULE_TIMEOUT LONG_MAX
#define set_current_state(value) ((void)(boolero_current.state = (value)))
#define __set_current_state(value) ((void)(boolero_current.state = (value)))
#define TASK_COMM_LEN 16
void schedule(void);
long schedule_timeout(long time);
long schedule_timeout_interruptible(long time);
long schedule_timeout_uninterruptible(long time);
void yield(void);
void cond_resched(void);
#define need_resched() 0
int boolero_signal_pending(void);
#define signal_pending(task) boolero_signal_pending()
#define fatal_signal_pending(task) boolero_signal_pending()
#define try_to_freeze() 0
#define set_freezable() 0
#define freezing(task) 0
#define freezable_schedule schedule
bool kthread_freezable_should_stop(bool *frozen);
void interruptible_sleep_on(wait_queue_head_t *queue);
int wake_up_process(struct task_struct *task);
int send_sig(int signal, struct task_struct *task, int priv);
#define allow_signal(signal) ((void)0)
#define flush_signals(task) ((void)0)
#define daemonize(...) ((void)0)
struct task_struct *_kthread_create(int (*function)(void *), void *data);
#define kthread_run(function, data, ...) _kthread_create(function, data)
#define kthread_create(function, data, ...) _kthread_create(function, data)
#define kthread_bind(task, cpu) ((void)0)
int kthread_stop(struct task_struct *task);
bool kthread_should_stop(void);
#define kthread_should_park() 0
#define get_task_struct(task) ((void)(task))
#define put_task_struct(task) ((void)(task))
#define capable(capability) boolero_access_ok()
#define CAP_SYS_ADMIN 21
#define CAP_SYS_RAWIO 17
#define CAP_NET_ADMIN 12
#define CAP_SYS_TIME 25
#define CAP_SYS_BOOT 22
struct pid *task_pid(struct task_struct *task);
struct pid *get_pid(struct pid *pid);
struct pid *get_task_pid(struct task_struct *task, int type);
void put_pid(struct pid *pid);
struct task_struct *get_pid_task(struct pid *pid, int type);
enum pid_type { PIDTYPE_PID, PIDTYPE_TGID, PIDTYPE_PGID };
struct mm_struct *get_task_mm(struct task_struct *task);
void mmput(struct mm_struct *mm);
int boolero_task_number(void);
#define task_pid_nr(task) boolero_task_number()
#define task_tgid_nr(task) boolero_task_number()
#define current_uid() (0)
#define SIGINT 2
#define SIGKILL 9
#define SIGTERM 15
#define SIGIO 29
#define SIGHUP 1

/* Chains of who wants to be told. */
struct notifier_block { int (*notifier_call)(struct notifier_block *nb, unsigned long action, void *data); struct notifier_block *next; int priority; };
struct blocking_notifier_head { struct notifier_block *head; };
struct atomic_notifier_head { struct notifier_block *head; };
struct raw_notifier_head { struct notifier_block *head; };
#define BLOCKING_NOTIFIER_HEAD(name) struct blocking_notifier_head name
#define ATOMIC_NOTIFIER_HEAD(name) struct atomic_notifier_head name
#define RAW_NOTIFIER_HEAD(name) struct raw_notifier_head name
#define BLOCKING_INIT_NOTIFIER_HEAD(h) ((h)->head = NULL)
#define ATOMIC_INIT_NOTIFIER_HEAD(h) ((h)->head = NULL)
#define NOTIFY_DONE 0
#define NOTIFY_OK 1
#define NOTIFY_BAD 0x8002
#define NOTIFY_STOP 0x8001
#define SYS_DOWN 1
#define SYS_RESTART SYS_DOWN
#define SYS_HALT 2
#define SYS_POWER_OFF 3
#define notifier_from_errno(e) NOTIFY_OK
int blocking_notifier_chain_register(struct blocking_notifier_head *head, struct notifier_block *nb);
int blocking_notifier_chain_unregister(struct blocking_notifier_head *head, struct notifier_block *nb);
int blocking_notifier_call_chain(struct blocking_notifier_head *head, unsigned long action, void *data);
int atomic_notifier_chain_register(struct atomic_notifier_head *head, struct notifier_block *nb);
int atomic_notifier_chain_unregister(struct atomic_notifier_head *head, struct notifier_block *nb);
int atomic_notifier_call_chain(struct atomic_notifier_head *head, unsigned long action, void *data);
int register_reboot_notifier(struct notifier_block *nb);
int unregister_reboot_notifier(struct notifier_block *nb);
int devm_register_reboot_notifier(struct device *dev, struct notifier_block *nb);
int register_restart_handler(struct notifier_block *nb);
int unregister_restart_handler(struct notifier_block *nb);
int register_pm_notifier(struct notifier_block *nb);
int unregister_pm_notifier(struct notifier_block *nb);
int register_die_notifier(struct notifier_block *nb);
int unregister_die_notifier(struct notifier_block *nb);
extern struct atomic_notifier_head panic_notifier_list;
#endif
