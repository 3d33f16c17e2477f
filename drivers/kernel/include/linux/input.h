/* Classes of devices: input, real-time clocks, watchdogs, LEDs, random numbers, backlights, sensors, power supplies. */
#ifndef BOOLERO_INPUT_H
#define BOOLERO_INPUT_H
#include <linux/kernel.h>
#include <linux/fs.h>
#include <linux/input-event-codes.h>
struct input_id { __u16 bustype, vendor, product, version; };
struct input_absinfo { __s32 value, minimum, maximum, fuzz, flat, resolution; };
struct input_keymap_entry { __u8 flags, len; __u16 index; __u32 keycode; __u8 scancode[32]; };
struct ff_effect { __u16 type; __s16 id; __u16 direction; union { struct { __u16 strong_magnitude, weak_magnitude; } rumble; struct { __s16 level; } constant; } u; };
struct ff_device; struct input_handle; struct input_dev; struct input_mt; struct input_handler;
struct input_dev { const char *name, *phys, *uniq; struct input_id id; unsigned long propbit[1], evbit[1], keybit[12], relbit[1], absbit[1], mscbit[1], ledbit[1], sndbit[1], ffbit[2], swbit[1]; unsigned int hint_events_per_packet, keycodemax, keycodesize; void *keycode; int (*setkeycode)(); int (*getkeycode)(); struct ff_device *ff; unsigned int repeat_key; struct timer_list timer; int rep[2]; struct input_mt *mt; struct input_absinfo *absinfo; unsigned long key[12], led[1], snd[1], sw[1]; int (*open)(struct input_dev *); void (*close)(struct input_dev *); int (*flush)(); int (*event)(struct input_dev *, unsigned int, unsigned int, int); spinlock_t event_lock; struct mutex mutex; unsigned int users; bool going_away; struct device dev; int boolero_registered; };
struct input_handle { void *private; int open; const char *name; struct input_dev *dev; struct input_handler *handler; };
struct input_handler { void *private; void (*event)(); bool (*filter)(); bool (*match)(); int (*connect)(); void (*disconnect)(); const char *name; const struct input_device_id *id_table; };
#define BUS_PCI 0x01
#define BUS_USB 0x03
#define BUS_HIL 0x04
#define BUS_BLUETOOTH 0x05
#define BUS_VIRTUAL 0x06
#define BUS_ISA 0x10
#define BUS_I8042 0x11
#define BUS_RS232 0x13
#define BUS_GAMEPORT 0x14
#define BUS_PARPORT 0x15
#define BUS_AMIGA 0x16
#define BUS_HOST 0x19
#define BUS_I2C 0x18
#define BUS_SPI 0x1C
#define FF_RUMBLE 0x50
#define FF_CONSTANT 0x52
#define FF_GAIN 0x60
#define to_input_dev(d) container_of(d, struct input_dev, dev)
static inline void *input_get_drvdata(struct input_dev *dev) { return dev->dev.driver_data; }
static inline void input_set_drvdata(struct input_dev *dev, void *data) { dev->dev.driver_data = data; }
struct input_dev *input_allocate_device(void);
struct input_dev *devm_input_allocate_device(struct device *dev);
void input_free_device(struct input_dev *dev);
int input_register_device(struct input_dev *dev);
void input_unregister_device(struct input_dev *dev);
struct input_dev *input_get_device(struct input_dev *dev);
void input_put_device(struct input_dev *dev);
void input_event(struct input_dev *dev, unsigned int type, unsigned int code, int value);
#define input_report_key(dev, code, value) input_event(dev, EV_KEY, code, !!(value))
#define input_report_rel(dev, code, value) input_event(dev, EV_REL, code, value)
#define input_report_abs(dev, code, value) input_event(dev, EV_ABS, code, value)
#define input_report_switch(dev, code, value) input_event(dev, EV_SW, code, !!(value))
#define input_sync(dev) input_event(dev, EV_SYN, 0, 0)
#define input_mt_sync(dev) input_event(dev, EV_SYN, 2, 0)
#define input_mt_report_slot_state(dev, tool, active) input_event(dev, EV_ABS, tool, active)
#define input_mt_report_slot_inactive(dev) input_event(dev, EV_ABS, 0, 0)
#define input_mt_slot(dev, slot) input_event(dev, EV_ABS, 0, slot)
#define input_mt_sync_frame(dev) input_event(dev, EV_SYN, 0, 0)
#define input_mt_report_pointer_emulation(dev, use) input_event(dev, EV_ABS, 0, 0)
int input_mt_init_slots(struct input_dev *dev, unsigned int count, unsigned int flags);
void input_mt_destroy_slots(struct input_dev *dev);
#define INPUT_MT_DIRECT 2
#define INPUT_MT_DROP_UNUSED 4
void input_set_capability(struct input_dev *dev, unsigned int type, unsigned int code);
void input_set_abs_params(struct input_dev *dev, unsigned int axis, int least, int most, int fuzz, int flat);
static inline void input_abs_set_res(struct input_dev *dev, unsigned int axis, int value) {}
static inline int input_abs_get_max(struct input_dev *dev, unsigned int axis) { return __VERIFIER_nondet_int(); }
static inline int input_abs_get_min(struct input_dev *dev, unsigned int axis) { return __VERIFIER_nondet_int(); }
static inline void input_enable_softrepeat(struct input_dev *dev, int delay, int period) {}
static inline bool input_device_enabled(struct input_dev *dev) { return boolero_any(); }
int input_setup_polling(struct input_dev *dev, void (*poll)(struct input_dev *));
static inline void input_set_poll_interval(struct input_dev *dev, unsigned int interval) {}
static inline void input_set_max_poll_interval(struct input_dev *dev, unsigned int interval) {}
static inline void input_set_min_poll_interval(struct input_dev *dev, unsigned int interval) {}
int input_ff_create_memless(struct input_dev *dev, void *data, int (*play)(struct input_dev *, void *, struct ff_effect *));
static inline int input_grab_device(struct input_handle *handle) { return 0; }
struct matrix_keymap_data { const uint32_t *keymap; unsigned int keymap_size; };
struct matrix_keypad_platform_data { const struct matrix_keymap_data *keymap_data; };
#define KEY(row, column, value) ((((row) & 0xff) << 24) | (((column) & 0xff) << 16) | ((value) & 0xffff))
#define MATRIX_SCAN_CODE(row, column, shift) (((row) << (shift)) + (column))
#define MATRIX_MAX_ROWS 32
#define MATRIX_MAX_COLS 32
int matrix_keypad_build_keymap(const struct matrix_keymap_data *data, const char *name, unsigned int rows, unsigned int columns, unsigned short *keymap, struct input_dev *dev);
int matrix_keypad_parse_properties(struct device *dev, unsigned int *rows, unsigned int *columns);
int matrix_keypad_parse_of_params(struct device *dev, unsigned int *rows, unsigned int *columns);

struct led_classdev; struct led_trigger;
enum led_brightness { LED_OFF = 0, LED_ON = 1, LED_HALF = 127, LED_FULL = 255 };
enum led_default_state { LEDS_DEFSTATE_OFF, LEDS_DEFSTATE_ON, LEDS_DEFSTATE_KEEP };
#define LED_SUSPENDED 1
#define LED_UNREGISTERING 2
#define LED_CORE_SUSPENDRESUME (1 << 16)
#define LED_BLINK_SW 0
#define LED_DEV_CAP_FLASH (1 << 18)
#define LED_HW_PLUGGABLE (1 << 19)
#define LED_PANIC_INDICATOR (1 << 20)
#define LED_RETAIN_AT_SHUTDOWN (1 << 22)
#define LED_MAX_NAME_SIZE 64
struct led_classdev { const char *name; unsigned int brightness, max_brightness; int flags; unsigned long work_flags; void (*brightness_set)(struct led_classdev *, enum led_brightness); int (*brightness_set_blocking)(struct led_classdev *, enum led_brightness); int (*brightness_set_sync)(struct led_classdev *, enum led_brightness); enum led_brightness (*brightness_get)(struct led_classdev *); int (*blink_set)(struct led_classdev *, unsigned long *, unsigned long *); int (*pattern_set)(); int (*pattern_clear)(); struct device *dev; const struct attribute_group **groups; struct list_head node; const char *default_trigger; unsigned long blink_delay_on, blink_delay_off; int new_blink_brightness; struct mutex led_access; struct work_struct set_brightness_work; struct rw_semaphore trigger_lock; struct led_trigger *trigger; struct list_head trig_list; void *trigger_data; bool activated; };
struct led_trigger { const char *name; int (*activate)(struct led_classdev *); void (*deactivate)(struct led_classdev *); rwlock_t leddev_list_lock; struct list_head led_cdevs; struct list_head next_trig; const struct attribute_group **groups; };
struct led_init_data { struct fwnode_handle *fwnode; const char *default_label; const char *devicename; bool devname_mandatory; };
struct led_info { const char *name; const char *default_trigger; int flags; };
struct led_platform_data { int num_leds; struct led_info *leds; };
struct gpio_led { const char *name; const char *default_trigger; unsigned int gpio; unsigned int active_low : 1, retain_state_suspended : 1, default_state : 2; struct gpio_desc *gpiod; };
struct gpio_led_platform_data { int num_leds; const struct gpio_led *leds; };
int led_classdev_register(struct device *parent, struct led_classdev *led);
int led_classdev_register_ext(struct device *parent, struct led_classdev *led, struct led_init_data *data);
#define of_led_classdev_register(parent, node, led) led_classdev_register(parent, led)
int devm_led_classdev_register(struct device *parent, struct led_classdev *led);
int devm_led_classdev_register_ext(struct device *parent, struct led_classdev *led, struct led_init_data *data);
#define devm_of_led_classdev_register(parent, node, led) devm_led_classdev_register(parent, led)
void led_classdev_unregister(struct led_classdev *led);
void devm_led_classdev_unregister(struct device *parent, struct led_classdev *led);
void led_classdev_suspend(struct led_classdev *led);
void led_classdev_resume(struct led_classdev *led);
void led_set_brightness(struct led_classdev *led, unsigned int brightness);
#define led_set_brightness_nosleep led_set_brightness
int led_set_brightness_sync(struct led_classdev *led, unsigned int value);
int led_update_brightness(struct led_classdev *led);
static inline void led_init_default_state_get_(void) {}
enum led_default_state led_init_default_state_get(struct fwnode_handle *fwnode);
void led_trigger_event(struct led_trigger *trigger, enum led_brightness event);
int led_trigger_register(struct led_trigger *trigger);
void led_trigger_unregister(struct led_trigger *trigger);
int devm_led_trigger_register(struct device *dev, struct led_trigger *trigger);
void led_trigger_register_simple(const char *name, struct led_trigger **trigger);
void led_trigger_unregister_simple(struct led_trigger *trigger);
static inline void led_set_trigger_data(struct led_classdev *led, void *data) { led->trigger_data = data; }
static inline void *led_get_trigger_data(struct led_classdev *led) { return led->trigger_data; }
static inline struct led_classdev *led_trigger_get_led(struct device *dev) { return dev->driver_data; }
static inline void *led_trigger_get_drvdata(struct device *dev) { return led_trigger_get_led(dev)->trigger_data; }
#define module_led_trigger(trigger) module_driver(trigger, led_trigger_register, led_trigger_unregister)
int led_classdev_notify_brightness_hw_changed_(void);

#include_next <linux/rtc.h>
struct rtc_device; struct nvmem_config;
struct rtc_class_ops { int (*open)(struct device *); void (*release)(struct device *); int (*ioctl)(struct device *, unsigned int, unsigned long); int (*read_time)(struct device *, struct rtc_time *); int (*set_time)(struct device *, struct rtc_time *); int (*read_alarm)(struct device *, struct rtc_wkalrm *); int (*set_alarm)(struct device *, struct rtc_wkalrm *); int (*proc)(struct device *, struct seq_file *); int (*set_mmss64)(struct device *, time64_t); int (*set_mmss)(struct device *, unsigned long); int (*read_callback)(struct device *, int); int (*alarm_irq_enable)(struct device *, unsigned int); int (*read_offset)(struct device *, long *); int (*set_offset)(struct device *, long); int (*irq_set_state)(); int (*irq_set_freq)(); int (*update_irq_enable)(); int (*param_get)(); int (*param_set)(); };
struct rtc_timer { ktime_t period; int enabled; };
struct rtc_device { struct device dev; struct module *owner; int id; const struct rtc_class_ops *ops; struct mutex ops_lock; struct cdev char_dev; unsigned long flags; unsigned long irq_data; spinlock_t irq_lock; int irq_freq; int max_user_freq; struct rtc_timer aie_timer; struct rtc_timer uie_rtctimer; int uie_unsupported; bool registered; bool nvram_old_abi; time64_t range_min; u64 range_max; time64_t start_secs; bool set_start_time; long set_offset_nsec; unsigned long features[1]; char name[20]; int boolero_live; };
#define RTC_DEVICE_NAME_SIZE 20
#define RTC_FEATURE_ALARM 0
#define RTC_FEATURE_UPDATE_INTERRUPT 4
#define RTC_FEATURE_ALARM_RES_MINUTE 1
#define RTC_TIMESTAMP_BEGIN_0000 -62167219200LL
#define RTC_TIMESTAMP_BEGIN_1900 -2208988800LL
#define RTC_TIMESTAMP_BEGIN_2000 946684800LL
#define RTC_TIMESTAMP_END_2063 2966371199LL
#define RTC_TIMESTAMP_END_2079 3471292799LL
#define RTC_TIMESTAMP_END_2099 4102444799LL
#define RTC_TIMESTAMP_END_2199 7258118399LL
#define RTC_TIMESTAMP_END_9999 253402300799LL
#define to_rtc_device(d) container_of(d, struct rtc_device, dev)
struct rtc_device *devm_rtc_allocate_device(struct device *dev);
int devm_rtc_register_device(struct rtc_device *rtc);
#define rtc_register_device devm_rtc_register_device
#define __rtc_register_device(module, rtc) devm_rtc_register_device(rtc)
#define __devm_rtc_register_device(module, rtc) devm_rtc_register_device(rtc)
struct rtc_device *devm_rtc_device_register(struct device *dev, const char *name, const struct rtc_class_ops *ops, struct module *owner);
struct rtc_device *rtc_device_register(const char *name, struct device *dev, const struct rtc_class_ops *ops, struct module *owner);
void rtc_device_unregister(struct rtc_device *rtc);
#define devm_rtc_device_unregister(dev, rtc) rtc_device_unregister(rtc)
void rtc_update_irq(struct rtc_device *rtc, unsigned long count, unsigned long events);
struct rtc_device *rtc_class_open(const char *name);
void rtc_class_close(struct rtc_device *rtc);
int rtc_read_time(struct rtc_device *rtc, struct rtc_time *time);
int rtc_set_time(struct rtc_device *rtc, struct rtc_time *time);
int rtc_read_alarm(struct rtc_device *rtc, struct rtc_wkalrm *alarm);
int rtc_set_alarm(struct rtc_device *rtc, struct rtc_wkalrm *alarm);
int rtc_valid_tm(struct rtc_time *time);
void rtc_time64_to_tm(time64_t time, struct rtc_time *tm);
#define rtc_time_to_tm rtc_time64_to_tm
time64_t rtc_tm_to_time64(struct rtc_time *tm);
int _rtc_tm_to_time(struct rtc_time *tm, unsigned long *time);
#define rtc_tm_to_time _rtc_tm_to_time
ktime_t rtc_tm_to_ktime(struct rtc_time tm);
struct rtc_time rtc_ktime_to_tm(ktime_t time);
time64_t rtc_tm_sub(struct rtc_time *a, struct rtc_time *b);
int rtc_month_days(unsigned int month, unsigned int year);
int rtc_year_days(unsigned int day, unsigned int month, unsigned int year);
bool is_leap_year(unsigned int year);
void rtc_set_irq_state_(void);
static inline void rtc_lock(struct rtc_device *rtc) { mutex_lock(&rtc->ops_lock); }
static inline void rtc_unlock(struct rtc_device *rtc) { mutex_unlock(&rtc->ops_lock); }
int rtc_nvmem_register(struct rtc_device *rtc, struct nvmem_config *config);
#define devm_rtc_nvmem_register rtc_nvmem_register
#define rtc_nvmem_unregister(rtc) ((void)(rtc))
int rtc_add_group(struct rtc_device *rtc, const struct attribute_group *group);
int rtc_add_groups(struct rtc_device *rtc, const struct attribute_group **groups);
unsigned long mktime(unsigned int year, unsigned int month, unsigned int day, unsigned int hour, unsigned int minute, unsigned int second);
time64_t mktime64(unsigned int year, unsigned int month, unsigned int day, unsigned int hour, unsigned int minute, unsigned int second);
extern spinlock_t rtc_lock_;

#include_next <linux/watchdog.h>
struct watchdog_device;
struct watchdog_ops { struct module *owner; int (*start)(struct watchdog_device *); int (*stop)(struct watchdog_device *); int (*ping)(struct watchdog_device *); unsigned int (*status)(struct watchdog_device *); int (*set_timeout)(struct watchdog_device *, unsigned int); int (*set_pretimeout)(struct watchdog_device *, unsigned int); unsigned int (*get_timeleft)(struct watchdog_device *); int (*restart)(struct watchdog_device *, unsigned long, void *); long (*ioctl)(struct watchdog_device *, unsigned int, unsigned long); void (*ref)(struct watchdog_device *); void (*unref)(struct watchdog_device *); };
struct watchdog_device { int id; struct device *parent; struct device *dev; const struct attribute_group **groups; const struct watchdog_info *info; const struct watchdog_ops *ops; const void *gov; unsigned int bootstatus, timeout, pretimeout, min_timeout, max_timeout, min_hw_heartbeat_ms, max_hw_heartbeat_ms; void *driver_data; void *wd_data; unsigned long status; struct list_head deferred; };
#define WDOG_ACTIVE 0
#define WDOG_NO_WAY_OUT 1
#define WDOG_DEV_OPEN 5
#define WDOG_HW_RUNNING 3
#define WDOG_STOP_ON_REBOOT 2
#define WATCHDOG_NOWAYOUT 0
#define WATCHDOG_NOWAYOUT_INIT_STATUS 0
static inline bool watchdog_active(struct watchdog_device *wdd) { return test_bit(WDOG_ACTIVE, &wdd->status); }
static inline bool watchdog_hw_running(struct watchdog_device *wdd) { return test_bit(WDOG_HW_RUNNING, &wdd->status); }
static inline void watchdog_set_nowayout(struct watchdog_device *wdd, bool nowayout) { if (nowayout) __set_bit(WDOG_NO_WAY_OUT, &wdd->status); }
static inline void watchdog_stop_on_reboot(struct watchdog_device *wdd) {}
static inline void watchdog_stop_on_unregister(struct watchdog_device *wdd) {}
static inline void watchdog_stop_ping_on_suspend(struct watchdog_device *wdd) {}
static inline void watchdog_set_restart_priority(struct watchdog_device *wdd, int priority) {}
static inline bool watchdog_timeout_invalid(struct watchdog_device *wdd, unsigned int t) { return t < wdd->min_timeout || (wdd->max_timeout && t > wdd->max_timeout); }
static inline void watchdog_set_drvdata(struct watchdog_device *wdd, void *data) { wdd->driver_data = data; }
static inline void *watchdog_get_drvdata(struct watchdog_device *wdd) { return wdd->driver_data; }
static inline void watchdog_notify_pretimeout(struct watchdog_device *wdd) {}
int watchdog_init_timeout(struct watchdog_device *wdd, unsigned int timeout, struct device *dev);
int watchdog_register_device(struct watchdog_device *wdd);
void watchdog_unregister_device(struct watchdog_device *wdd);
int devm_watchdog_register_device(struct device *dev, struct watchdog_device *wdd);

struct hwrng { const char *name; int (*init)(struct hwrng *); void (*cleanup)(struct hwrng *); int (*data_present)(struct hwrng *, int); int (*data_read)(struct hwrng *, u32 *); int (*read)(struct hwrng *, void *, size_t, bool); unsigned long priv; unsigned short quality; struct list_head list; struct kref ref; struct completion cleanup_done; struct completion dying; struct work_struct cleanup_work; };
int hwrng_register(struct hwrng *rng);
void hwrng_unregister(struct hwrng *rng);
int devm_hwrng_register(struct device *dev, struct hwrng *rng);
void devm_hwrng_unregister(struct device *dev, struct hwrng *rng);
void add_hwgenerator_randomness(const void *buffer, size_t count, size_t entropy);

struct backlight_device; struct fb_info;
struct backlight_ops { unsigned int options; int (*update_status)(struct backlight_device *); int (*get_brightness)(struct backlight_device *); int (*check_fb)(); };
enum backlight_type { BACKLIGHT_RAW = 1, BACKLIGHT_PLATFORM, BACKLIGHT_FIRMWARE };
struct backlight_properties { int brightness, max_brightness, power, fb_blank; enum backlight_type type; unsigned int state; };
struct backlight_device { struct backlight_properties props; struct mutex update_lock; struct mutex ops_lock; const struct backlight_ops *ops; struct device dev; };
#define BL_CORE_SUSPENDRESUME 1
#define BL_CORE_SUSPENDED 1
#define BL_CORE_FBBLANK 2
static inline void *bl_get_data(struct backlight_device *b) { return b->dev.driver_data; }
#define to_backlight_device(d) container_of(d, struct backlight_device, dev)
struct backlight_device *backlight_device_register(const char *name, struct device *dev, void *data, const struct backlight_ops *ops, const struct backlight_properties *props);
struct backlight_device *devm_backlight_device_register(struct device *dev, const char *name, struct device *parent, void *data, const struct backlight_ops *ops, const struct backlight_properties *props);
void backlight_device_unregister(struct backlight_device *b);
int backlight_update_status(struct backlight_device *b);
int backlight_enable(struct backlight_device *b);
int backlight_disable(struct backlight_device *b);
static inline int backlight_get_brightness(const struct backlight_device *b) { return b->props.brightness; }
static inline bool backlight_is_blank(const struct backlight_device *b) { return b->props.power; }
enum power_supply_property { POWER_SUPPLY_PROP_STATUS, POWER_SUPPLY_PROP_CHARGE_TYPE, POWER_SUPPLY_PROP_HEALTH, POWER_SUPPLY_PROP_PRESENT, POWER_SUPPLY_PROP_ONLINE, POWER_SUPPLY_PROP_VOLTAGE_NOW, POWER_SUPPLY_PROP_CURRENT_NOW, POWER_SUPPLY_PROP_CAPACITY, POWER_SUPPLY_PROP_SCOPE, POWER_SUPPLY_PROP_MODEL_NAME, POWER_SUPPLY_PROP_MANUFACTURER };
enum { POWER_SUPPLY_CHARGE_TYPE_UNKNOWN, POWER_SUPPLY_CHARGE_TYPE_NONE, POWER_SUPPLY_CHARGE_TYPE_TRICKLE, POWER_SUPPLY_CHARGE_TYPE_FAST };
enum { POWER_SUPPLY_STATUS_UNKNOWN, POWER_SUPPLY_STATUS_CHARGING, POWER_SUPPLY_STATUS_DISCHARGING, POWER_SUPPLY_STATUS_NOT_CHARGING, POWER_SUPPLY_STATUS_FULL };
enum { POWER_SUPPLY_SCOPE_UNKNOWN, POWER_SUPPLY_SCOPE_SYSTEM, POWER_SUPPLY_SCOPE_DEVICE };
enum power_supply_type { POWER_SUPPLY_TYPE_UNKNOWN, POWER_SUPPLY_TYPE_BATTERY, POWER_SUPPLY_TYPE_UPS, POWER_SUPPLY_TYPE_MAINS, POWER_SUPPLY_TYPE_USB };
union power_supply_propval { int intval; const char *strval; };
struct power_supply;
struct power_supply_config { struct device_node *of_node; void *drv_data; char **supplied_to; size_t num_supplicants; };
struct power_supply_desc { const char *name; enum power_supply_type type; const enum power_supply_property *properties; size_t num_properties; int (*get_property)(struct power_supply *, enum power_supply_property, union power_supply_propval *); int (*set_property)(struct power_supply *, enum power_supply_property, const union power_supply_propval *); int (*property_is_writeable)(struct power_supply *, enum power_supply_property); };
struct power_supply { const struct power_supply_desc *desc; void *drv_data; struct device dev; };
static inline void *power_supply_get_drvdata(struct power_supply *p) { return p->drv_data; }
struct power_supply *power_supply_register(struct device *parent, const struct power_supply_desc *desc, const struct power_supply_config *config);
struct power_supply *devm_power_supply_register(struct device *parent, const struct power_supply_desc *desc, const struct power_supply_config *config);
void power_supply_unregister(struct power_supply *p);
void power_supply_changed(struct power_supply *p);
#endif
