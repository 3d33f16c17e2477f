/* Devices, drivers, their attributes, resources, modules; power management. */
#include <linux/kernel.h>
#ifndef BOOLERO_DEVICE_H
#define BOOLERO_DEVICE_H
#include <linux/types.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/module.h>
#include <linux/io.h>
#include <linux/pm.h>
#include <linux/mod_devicetable.h>

struct device; struct device_driver; struct device_node; struct bus_type; struct class; struct kobject; struct attribute; struct fwnode_handle; struct vm_area_struct; struct regmap; struct platform_device;

struct attribute { const char *name; umode_t mode; };
struct bin_attribute { struct attribute attr; size_t size; void *private; ssize_t (*read)(); ssize_t (*write)(); int (*mmap)(); };
struct attribute_group { const char *name; umode_t (*is_visible)(struct kobject *, struct attribute *, int); umode_t (*is_bin_visible)(); struct attribute **attrs; struct bin_attribute **bin_attrs; };
struct sysfs_ops { ssize_t (*show)(struct kobject *, struct attribute *, char *); ssize_t (*store)(struct kobject *, struct attribute *, const char *, size_t); };
struct kobj_type { void (*release)(struct kobject *); const struct sysfs_ops *sysfs_ops; struct attribute **default_attrs; const struct attribute_group **default_groups; };
struct kset { struct list_head list; struct kobject *boolero_first; };
struct kobject { const char *name; struct list_head entry; struct kobject *parent; struct kset *kset; const struct kobj_type *ktype; struct kref kref; void *sd; };
struct kobj_attribute { struct attribute attr; ssize_t (*show)(struct kobject *, struct kobj_attribute *, char *); ssize_t (*store)(struct kobject *, struct kobj_attribute *, const char *, size_t); };
struct kobj_uevent_env { char *envp[2]; char buf[64]; int buflen; };

struct fwnode_handle { struct fwnode_handle *secondary; const void *ops; };
struct property { char *name; int length; void *value; struct property *next; };
struct device_node { const char *name; const char *type; const char *full_name; struct fwnode_handle fwnode; struct device_node *parent; struct device_node *child; struct device_node *sibling; struct property *properties; void *data; int boolero_references; unsigned int phandle; };

struct dev_archdata { int unused; };
struct device_private;
struct device_type { const char *name; const struct attribute_group **groups; int (*uevent)(); char *(*devnode)(); void (*release)(struct device *dev); const struct dev_pm_ops *pm; };
struct device_dma_parameters { unsigned int max_segment_size; };
struct bus_type { const char *name; const char *dev_name; struct device *dev_root; const struct attribute_group **bus_groups; const struct attribute_group **dev_groups; const struct attribute_group **drv_groups; int (*match)(struct device *, struct device_driver *); int (*uevent)(); int (*probe)(struct device *); BOOLERO_REMOVE (*remove)(struct device *); void (*shutdown)(struct device *); int (*suspend)(); int (*resume)(struct device *); const struct dev_pm_ops *pm; };
enum probe_type { PROBE_DEFAULT_STRATEGY, PROBE_PREFER_ASYNCHRONOUS, PROBE_FORCE_SYNCHRONOUS };
struct device_driver { const char *name; struct bus_type *bus; struct module *owner; const char *mod_name; bool suppress_bind_attrs; enum probe_type probe_type; const struct of_device_id *of_match_table; const struct acpi_device_id *acpi_match_table; int (*probe)(struct device *dev); int (*remove)(struct device *dev); void (*shutdown)(struct device *dev); int (*suspend)(); int (*resume)(struct device *dev); const struct attribute_group **groups; const struct attribute_group **dev_groups; const struct dev_pm_ops *pm; void *p; };
struct class { const char *name; struct module *owner; const struct attribute_group **class_groups; const struct attribute_group **dev_groups; struct kobject *dev_kobj; struct device_attribute *dev_attrs; int (*dev_uevent)(); char *(*devnode)(struct device *dev, umode_t *mode); void (*class_release)(struct class *class); void (*dev_release)(struct device *dev); int (*suspend)(); int (*resume)(); const struct dev_pm_ops *pm; void *p; };
struct class_attribute { struct attribute attr; ssize_t (*show)(); ssize_t (*store)(); };
struct driver_attribute { struct attribute attr; ssize_t (*show)(struct device_driver *, char *); ssize_t (*store)(struct device_driver *, const char *, size_t); };
struct device {
	struct kobject kobj;
	struct device *parent;
	struct device_private *p;
	const char *init_name;
	const struct device_type *type;
	struct mutex mutex;
	struct bus_type *bus;
	struct device_driver *driver;
	void *platform_data;
	void *driver_data;
	struct dev_pm_info power;
	struct dev_archdata archdata;
	u64 *dma_mask;
	u64 coherent_dma_mask;
	struct device_dma_parameters *dma_parms;
	struct device_node *of_node;
	struct fwnode_handle *fwnode;
	dev_t devt;
	u32 id;
	spinlock_t devres_lock;
	struct list_head devres_head;
	struct class *class;
	const struct attribute_group **groups;
	void (*release)(struct device *dev);
	void *msi_domain;
	int numa_node;
	void *pins;
};
struct device_attribute { struct attribute attr; ssize_t (*show)(struct device *dev, struct device_attribute *attr, char *buf); ssize_t (*store)(struct device *dev, struct device_attribute *attr, const char *buf, size_t count); };
struct dev_ext_attribute { struct device_attribute attr; void *var; };
struct class_interface { struct class *class; int (*add_dev)(); void (*remove_dev)(); };

#define S_IRUGO 0444
#define S_IWUGO 0222
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRGRP 040
#define S_IWGRP 020
#define S_IRWXUGO 0777
#define S_IROTH 04
#define S_IWOTH 02
#define S_IFMT 00170000
#define S_IFREG 0100000
#define S_IFCHR 0020000
#define S_ISREG(m) (((m) & S_IFMT) == S_IFREG)
#define S_ISCHR(m) (((m) & S_IFMT) == S_IFCHR)
#define __ATTR(_name, _mode, _show, _store) { .attr = { .name = #_name, .mode = (_mode) }, .show = _show, .store = _store }
#define __ATTR_RO(_name) __ATTR(_name, 0444, _name##_show, NULL)
#define __ATTR_WO(_name) __ATTR(_name, 0200, NULL, _name##_store)
#define __ATTR_RW(_name) __ATTR(_name, 0644, _name##_show, _name##_store)
#define __ATTR_NULL { .attr = { .name = NULL } }
#define DEVICE_ATTR(_name, _mode, _show, _store) struct device_attribute dev_attr_##_name = __ATTR(_name, _mode, _show, _store)
#define DEVICE_ATTR_RO(_name) struct device_attribute dev_attr_##_name = __ATTR_RO(_name)
#define DEVICE_ATTR_WO(_name) struct device_attribute dev_attr_##_name = __ATTR_WO(_name)
#define DEVICE_ATTR_RW(_name) struct device_attribute dev_attr_##_name = __ATTR_RW(_name)
#define DRIVER_ATTR(_name, _mode, _show, _store) struct driver_attribute driver_attr_##_name = __ATTR(_name, _mode, _show, _store)
#define DRIVER_ATTR_RO(_name) struct driver_attribute driver_attr_##_name = __ATTR_RO(_name)
#define DRIVER_ATTR_RW(_name) struct driver_attribute driver_attr_##_name = __ATTR_RW(_name)
#define DRIVER_ATTR_WO(_name) struct driver_attribute driver_attr_##_name = __ATTR_WO(_name)
#define CLASS_ATTR_STRING(_name, _mode, _text) struct class_attribute class_attr_##_name = { .attr = { .name = #_name, .mode = (_mode) } }
#define CLASS_ATTR_RO(_name) struct class_attribute class_attr_##_name = __ATTR_RO(_name)
#define BIN_ATTR(_name, _mode, _read, _write, _size) struct bin_attribute bin_attr_##_name = { .attr = { .name = #_name, .mode = _mode }, .read = _read, .write = _write, .size = _size }
#define BIN_ATTR_RO(_name, _size) BIN_ATTR(_name, 0444, _name##_read, NULL, _size)
#define __ATTRIBUTE_GROUPS(_name) static const struct attribute_group *_name##_groups[] = { &_name##_group, NULL }
#define ATTRIBUTE_GROUPS(_name) static const struct attribute_group _name##_group = { .attrs = _name##_attrs }; __ATTRIBUTE_GROUPS(_name)
#define sysfs_attr_init(attr) boolero_attr_init(attr)
#define sysfs_bin_attr_init(attr) boolero_attr_init(&(attr)->attr)
void boolero_attr_init(struct attribute *attr);

#define dev_printk(level, dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_emerg(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_alert(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_crit(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_err(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_err_once(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_err_ratelimited(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_warn(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_warn_once(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_warn_ratelimited(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_notice(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_info(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_info_once(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_dbg(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_dbg_ratelimited(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_vdbg(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_WARN(dev, ...) ((void)(dev), boolero_silent(__VA_ARGS__))
#define dev_WARN_ONCE(dev, condition, ...) (!!(condition))
#define dev_err_probe(dev, error, ...) ((void)(dev), boolero_silent(__VA_ARGS__), (int)(error))

static inline const char *dev_name(const struct device *dev) { return dev->init_name; }
static inline void *dev_get_drvdata(const struct device *dev) { return dev->driver_data; }
static inline void dev_set_drvdata(struct device *dev, void *data) { dev->driver_data = data; }
static inline void *dev_get_platdata(const struct device *dev) { return dev->platform_data; }
static inline struct device_node *dev_of_node(struct device *dev) { return dev->of_node; }
#define dev_to_node(dev) (-1)
#define dev_fwnode(dev) ((dev)->fwnode)
static inline const char *kobject_name(const struct kobject *kobj) { return kobj->name; }
static inline struct device *kobj_to_dev(struct kobject *kobj) { return container_of(kobj, struct device, kobj); }
#define to_dev(obj) container_of(obj, struct device, kobj)
static inline void device_lock(struct device *dev) { mutex_lock(&dev->mutex); }
static inline void device_unlock(struct device *dev) { mutex_unlock(&dev->mutex); }
static inline int device_is_registered(struct device *dev) { return 1; }
static inline void device_set_node(struct device *dev, struct fwnode_handle *fwnode) { dev->fwnode = fwnode; }
static inline void device_set_of_node_from_dev(struct device *dev, const struct device *other) { dev->of_node = other->of_node; }
static inline void device_enable_async_suspend(struct device *dev) {}
static inline void set_dev_node(struct device *dev, int node) {}

int dev_set_name(struct device *dev, const char *format, ...);
struct device *get_device(struct device *dev);
void put_device(struct device *dev);
int device_register(struct device *dev);
void device_unregister(struct device *dev);
void device_initialize(struct device *dev);
int device_add(struct device *dev);
void device_del(struct device *dev);
int device_attach(struct device *dev);
void device_release_driver(struct device *dev);
int driver_register(struct device_driver *driver);
void driver_unregister(struct device_driver *driver);
struct device_driver *driver_find(const char *name, struct bus_type *bus);
int bus_register(struct bus_type *bus);
void bus_unregister(struct bus_type *bus);
int bus_for_each_dev(struct bus_type *bus, struct device *start, void *data, int (*function)(struct device *, void *));
struct device *bus_find_device(struct bus_type *bus, struct device *start, const void *data, int (*match)());
struct device *bus_find_device_by_name(struct bus_type *bus, struct device *start, const char *name);
struct device *class_find_device(struct class *class, struct device *start, const void *data, int (*match)());
struct class *_class_create(void);
#define class_create(...) _class_create()
void class_destroy(struct class *class);
int class_register(struct class *class);
void class_unregister(struct class *class);
struct device *device_create(struct class *class, struct device *parent, dev_t devt, void *data, const char *format, ...);
struct device *device_create_with_groups(struct class *class, struct device *parent, dev_t devt, void *data, const struct attribute_group **groups, const char *format, ...);
void device_destroy(struct class *class, dev_t devt);
struct device *device_find_child(struct device *parent, void *data, int (*match)());
int device_for_each_child(struct device *parent, void *data, int (*function)(struct device *dev, void *data));
int device_create_file(struct device *dev, const struct device_attribute *attr);
void device_remove_file(struct device *dev, const struct device_attribute *attr);
int device_create_bin_file(struct device *dev, const struct bin_attribute *attr);
void device_remove_bin_file(struct device *dev, const struct bin_attribute *attr);
int driver_create_file(struct device_driver *driver, const struct driver_attribute *attr);
void driver_remove_file(struct device_driver *driver, const struct driver_attribute *attr);
int class_create_file(struct class *class, const struct class_attribute *attr);
void class_remove_file(struct class *class, const struct class_attribute *attr);
int sysfs_create_file(struct kobject *kobj, const struct attribute *attr);
void sysfs_remove_file(struct kobject *kobj, const struct attribute *attr);
int sysfs_create_group(struct kobject *kobj, const struct attribute_group *group);
void sysfs_remove_group(struct kobject *kobj, const struct attribute_group *group);
int sysfs_create_groups(struct kobject *kobj, const struct attribute_group **groups);
void sysfs_remove_groups(struct kobject *kobj, const struct attribute_group **groups);
int sysfs_create_bin_file(struct kobject *kobj, const struct bin_attribute *attr);
void sysfs_remove_bin_file(struct kobject *kobj, const struct bin_attribute *attr);
int sysfs_create_link(struct kobject *kobj, struct kobject *target, const char *name);
void sysfs_remove_link(struct kobject *kobj, const char *name);
void sysfs_notify(struct kobject *kobj, const char *dir, const char *attr);
int sysfs_emit(char *buffer, const char *format, ...);
int sysfs_emit_at(char *buffer, int at, const char *format, ...);
int device_add_group(struct device *dev, const struct attribute_group *group);
void device_remove_group(struct device *dev, const struct attribute_group *group);
int device_add_groups(struct device *dev, const struct attribute_group **groups);
void device_remove_groups(struct device *dev, const struct attribute_group **groups);
int devm_device_add_group(struct device *dev, const struct attribute_group *group);
int devm_device_add_groups(struct device *dev, const struct attribute_group **groups);
ssize_t device_show_int(struct device *dev, struct device_attribute *attr, char *buffer);
void kobject_init(struct kobject *kobj, const struct kobj_type *type);
int kobject_add(struct kobject *kobj, struct kobject *parent, const char *format, ...);
int kobject_init_and_add(struct kobject *kobj, const struct kobj_type *type, struct kobject *parent, const char *format, ...);
struct kobject *kobject_create_and_add(const char *name, struct kobject *parent);
void kobject_del(struct kobject *kobj);
struct kobject *kobject_get(struct kobject *kobj);
void kobject_put(struct kobject *kobj);
int kobject_set_name(struct kobject *kobj, const char *format, ...);
int kobject_uevent(struct kobject *kobj, int action);
int kobject_uevent_env(struct kobject *kobj, int action, char *env[]);
int add_uevent_var(struct kobj_uevent_env *env, const char *format, ...);
enum kobject_action { KOBJ_ADD, KOBJ_REMOVE, KOBJ_CHANGE, KOBJ_MOVE, KOBJ_ONLINE, KOBJ_OFFLINE };
extern struct kobject *kernel_kobj;
extern struct kobject *firmware_kobj;

/* Memory and actions that end with the binding of the device, the last one first. */
void *devm_kmalloc(struct device *dev, size_t size, gfp_t flags);
void *devm_kzalloc(struct device *dev, size_t size, gfp_t flags);
void *devm_kcalloc(struct device *dev, size_t count, size_t size, gfp_t flags);
void *devm_kmalloc_array(struct device *dev, size_t count, size_t size, gfp_t flags);
void *devm_kmemdup(struct device *dev, const void *source, size_t size, gfp_t flags);
char *devm_kstrdup(struct device *dev, const char *text, gfp_t flags);
const char *devm_kstrdup_const(struct device *dev, const char *text, gfp_t flags);
char *devm_kasprintf(struct device *dev, gfp_t flags, const char *format, ...);
void devm_kfree(struct device *dev, const void *memory);
int devm_add_action(struct device *dev, void (*action)(void *), void *data);
int devm_add_action_or_reset(struct device *dev, void (*action)(void *), void *data);
void devm_remove_action(struct device *dev, void (*action)(void *), void *data);
void devm_release_action(struct device *dev, void (*action)(void *), void *data);
void *devres_alloc(void (*release)(struct device *, void *), size_t size, gfp_t flags);
void devres_add(struct device *dev, void *resource);
int devres_release(struct device *dev, void (*release)(struct device *, void *), int (*match)(), void *data);
int devres_destroy(struct device *dev, void (*release)(struct device *, void *), int (*match)(), void *data);
void *devres_find(struct device *dev, void (*release)(struct device *, void *), int (*match)(), void *data);
void devres_free(void *resource);
void *devres_open_group(struct device *dev, void *id, gfp_t flags);
void devres_close_group(struct device *dev, void *id);
int devres_release_group(struct device *dev, void *id);
void devres_remove_group(struct device *dev, void *id);
unsigned long devm_get_free_pages(struct device *dev, gfp_t flags, unsigned int order);

#include <linux/platform_device.h>
#include <linux/of.h>
#endif
