/* Power management: what a driver offers, and run-time counts of who needs the device. */
#include <linux/kernel.h>
#ifndef BOOLERO_PM_H
#define BOOLERO_PM_H
#include <linux/types.h>
struct device;
typedef struct pm_message { int event; } pm_message_t;
#define PM_EVENT_ON 0
#define PM_EVENT_FREEZE 1
#define PM_EVENT_SUSPEND 2
#define PM_EVENT_RESUME 0x10
#define PM_EVENT_THAW 0x20
#define PM_EVENT_AUTO 0x400
#define PMSG_SUSPEND ((struct pm_message){ .event = PM_EVENT_SUSPEND })
#define PMSG_RESUME ((struct pm_message){ .event = PM_EVENT_RESUME })
#define PMSG_IS_AUTO(message) (((message).event & PM_EVENT_AUTO) != 0)
struct wakeup_source { const char *name; bool active; };
struct dev_pm_info { bool can_wakeup; bool should_wakeup; int usage; bool is_prepared; bool async_suspend; struct wakeup_source *wakeup; int runtime_error; int disable_depth; };
struct dev_pm_ops { int (*prepare)(struct device *dev); void (*complete)(struct device *dev); int (*suspend)(struct device *dev); int (*resume)(struct device *dev); int (*freeze)(struct device *dev); int (*thaw)(struct device *dev); int (*poweroff)(struct device *dev); int (*restore)(struct device *dev); int (*suspend_late)(struct device *dev); int (*resume_early)(struct device *dev); int (*freeze_late)(struct device *dev); int (*thaw_early)(struct device *dev); int (*poweroff_late)(struct device *dev); int (*restore_early)(struct device *dev); int (*suspend_noirq)(struct device *dev); int (*resume_noirq)(struct device *dev); int (*freeze_noirq)(struct device *dev); int (*thaw_noirq)(struct device *dev); int (*poweroff_noirq)(struct device *dev); int (*restore_noirq)(struct device *dev); int (*runtime_suspend)(struct device *dev); int (*runtime_resume)(struct device *dev); int (*runtime_idle)(struct device *dev); };
#define SET_SYSTEM_SLEEP_PM_OPS(suspend_fn, resume_fn) .suspend = suspend_fn, .resume = resume_fn, .freeze = suspend_fn, .thaw = resume_fn, .poweroff = suspend_fn, .restore = resume_fn,
#define SYSTEM_SLEEP_PM_OPS SET_SYSTEM_SLEEP_PM_OPS
#define SET_LATE_SYSTEM_SLEEP_PM_OPS(suspend_fn, resume_fn) .suspend_late = suspend_fn, .resume_early = resume_fn,
#define SET_NOIRQ_SYSTEM_SLEEP_PM_OPS(suspend_fn, resume_fn) .suspend_noirq = suspend_fn, .resume_noirq = resume_fn,
#define NOIRQ_SYSTEM_SLEEP_PM_OPS SET_NOIRQ_SYSTEM_SLEEP_PM_OPS
#define SET_RUNTIME_PM_OPS(suspend_fn, resume_fn, idle_fn) .runtime_suspend = suspend_fn, .runtime_resume = resume_fn, .runtime_idle = idle_fn,
#define RUNTIME_PM_OPS SET_RUNTIME_PM_OPS
#define SIMPLE_DEV_PM_OPS(name, suspend_fn, resume_fn) const struct dev_pm_ops name __maybe_unused = { SET_SYSTEM_SLEEP_PM_OPS(suspend_fn, resume_fn) }
#define DEFINE_SIMPLE_DEV_PM_OPS SIMPLE_DEV_PM_OPS
#define EXPORT_SIMPLE_DEV_PM_OPS SIMPLE_DEV_PM_OPS
#define EXPORT_GPL_SIMPLE_DEV_PM_OPS SIMPLE_DEV_PM_OPS
#define UNIVERSAL_DEV_PM_OPS(name, suspend_fn, resume_fn, idle_fn) const struct dev_pm_ops name __maybe_unused = { SET_SYSTEM_SLEEP_PM_OPS(suspend_fn, resume_fn) SET_RUNTIME_PM_OPS(suspend_fn, resume_fn, idle_fn) }
#define DEFINE_RUNTIME_DEV_PM_OPS UNIVERSAL_DEV_PM_OPS
#define pm_ptr(p) (p)
#define pm_sleep_ptr(p) (p)
static inline int device_init_wakeup(struct device *dev, bool enable) { return 0; }
static inline int devm_device_init_wakeup(struct device *dev) { return 0; }
static inline int device_set_wakeup_enable(struct device *dev, bool enable) { return 0; }
static inline int device_wakeup_enable(struct device *dev) { return 0; }
static inline int device_wakeup_disable(struct device *dev) { return 0; }
static inline void device_set_wakeup_capable(struct device *dev, bool capable) {}
static inline bool device_can_wakeup(struct device *dev) { return boolero_any(); }
static inline bool device_may_wakeup(struct device *dev) { return boolero_any(); }
static inline void pm_wakeup_event(struct device *dev, unsigned int time) {}
static inline void pm_stay_awake(struct device *dev) {}
static inline void pm_relax(struct device *dev) {}
int dev_pm_set_wake_irq(struct device *dev, int irq);
int devm_pm_set_wake_irq(struct device *dev, int irq);
void dev_pm_clear_wake_irq(struct device *dev);
struct wakeup_source *wakeup_source_register(struct device *dev, const char *name);
void wakeup_source_unregister(struct wakeup_source *source);
void __pm_stay_awake(struct wakeup_source *source);
void __pm_relax(struct wakeup_source *source);
void pm_runtime_enable(struct device *dev);
int devm_pm_runtime_enable(struct device *dev);
void pm_runtime_disable(struct device *dev);
int pm_runtime_get_sync(struct device *dev);
int pm_runtime_get(struct device *dev);
int pm_runtime_resume_and_get(struct device *dev);
void pm_runtime_get_noresume(struct device *dev);
int pm_runtime_put(struct device *dev);
int pm_runtime_put_sync(struct device *dev);
int pm_runtime_put_autosuspend(struct device *dev);
int pm_runtime_put_sync_autosuspend(struct device *dev);
int pm_runtime_put_sync_suspend(struct device *dev);
void pm_runtime_put_noidle(struct device *dev);
int pm_runtime_resume(struct device *dev);
int pm_runtime_suspend(struct device *dev);
int pm_runtime_idle(struct device *dev);
int pm_request_resume(struct device *dev);
int pm_runtime_force_suspend(struct device *dev);
int pm_runtime_force_resume(struct device *dev);
int pm_runtime_set_active(struct device *dev);
void pm_runtime_set_suspended(struct device *dev);
static inline void pm_runtime_mark_last_busy(struct device *dev) {}
static inline void pm_runtime_use_autosuspend(struct device *dev) {}
static inline void pm_runtime_dont_use_autosuspend(struct device *dev) {}
static inline void pm_runtime_set_autosuspend_delay(struct device *dev, int delay) {}
static inline void pm_runtime_irq_safe(struct device *dev) {}
static inline void pm_runtime_no_callbacks(struct device *dev) {}
static inline void pm_runtime_allow(struct device *dev) {}
static inline void pm_runtime_forbid(struct device *dev) {}
static inline void pm_suspend_ignore_children(struct device *dev, bool enable) {}
static inline bool pm_runtime_enabled(struct device *dev) { return boolero_any(); }
static inline bool pm_runtime_active(struct device *dev) { return boolero_any(); }
static inline bool pm_runtime_suspended(struct device *dev) { return boolero_any(); }
static inline bool pm_runtime_status_suspended(struct device *dev) { return boolero_any(); }
int pm_generic_runtime_suspend(struct device *dev);
int pm_generic_runtime_resume(struct device *dev);
int dev_pm_domain_attach(struct device *dev, bool power_on);
void dev_pm_domain_detach(struct device *dev, bool power_off);
extern void (*pm_power_off)(void);
#endif
