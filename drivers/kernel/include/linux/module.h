/* Modules: how a driver says where it begins and ends. `boolero_module_init` is what the harness calls. */
#include <linux/kernel.h>
#ifndef BOOLERO_MODULE_H
#define BOOLERO_MODULE_H
#include <linux/types.h>
/* Since when `remove` returns nothing differs from bus to bus; `boolero driver` looks at the driver. */
#ifndef BOOLERO_REMOVE
#define BOOLERO_REMOVE int
#endif
struct module { const char *name; int references; const char *version; };
extern struct module boolero_module;
#define THIS_MODULE (&boolero_module)
#define MODULE_LICENSE(x) struct boolero_nothing
#define MODULE_AUTHOR(x) struct boolero_nothing
#define MODULE_DESCRIPTION(x) struct boolero_nothing
#define MODULE_VERSION(x) struct boolero_nothing
#define MODULE_ALIAS(x) struct boolero_nothing
#define MODULE_ALIAS_MISCDEV(x) struct boolero_nothing
#define MODULE_ALIAS_CHARDEV_MAJOR(x) struct boolero_nothing
#define MODULE_ALIAS_CHARDEV(x, y) struct boolero_nothing
#define MODULE_ALIAS_LDISC(x) struct boolero_nothing
#define MODULE_FIRMWARE(x) struct boolero_nothing
#define MODULE_SOFTDEP(x) struct boolero_nothing
#define MODULE_IMPORT_NS(x) struct boolero_nothing
#define MODULE_INFO(x, y) struct boolero_nothing
#define MODULE_SUPPORTED_DEVICE(x) struct boolero_nothing
#define MODULE_DEVICE_TABLE(kind, table) struct boolero_nothing
#define MODULE_PARM_DESC(name, text) struct boolero_nothing
#define EXPORT_SYMBOL(x) struct boolero_nothing
#define EXPORT_SYMBOL_GPL(x) struct boolero_nothing
#define EXPORT_SYMBOL_NS_GPL(x, y) struct boolero_nothing
#define EXPORT_PER_CPU_SYMBOL(x) struct boolero_nothing
#define __MODULE_STRING(x) __stringify(x)
#define MODULE_NAME_LEN 56

/* Parameters have any value of their type: a user gives them. */
struct kernel_param { const char *name; const struct kernel_param_ops *ops; void *arg; };
struct kernel_param_ops { unsigned int flags; int (*set)(const char *value, const struct kernel_param *kp); int (*get)(char *buffer, const struct kernel_param *kp); void (*free)(void *arg); };
struct kparam_string { unsigned int maxlen; char *string; };
#define module_param(name, type, mode) struct boolero_nothing
#define module_param_named(name, value, type, mode) struct boolero_nothing
#define module_param_unsafe(name, type, mode) struct boolero_nothing
#define module_param_hw(name, type, kind, mode) struct boolero_nothing
#define module_param_hw_named(name, value, type, kind, mode) struct boolero_nothing
#define module_param_array(name, type, count, mode) struct boolero_nothing
#define module_param_array_named(name, array, type, count, mode) struct boolero_nothing
#define module_param_hw_array(name, type, kind, count, mode) struct boolero_nothing
#define module_param_string(name, string, length, mode) struct boolero_nothing
#define module_param_cb(name, ops, arg, mode) struct boolero_nothing
#define module_param_call(name, set, get, arg, mode) struct boolero_nothing
#define core_param(name, value, type, mode) struct boolero_nothing
#define MODULE_PARM(name, type) struct boolero_nothing
#define __setup(text, function) struct boolero_nothing
#define early_param(text, function) struct boolero_nothing
int param_set_int(const char *value, const struct kernel_param *kp);
int param_get_int(char *buffer, const struct kernel_param *kp);
int param_set_uint(const char *value, const struct kernel_param *kp);
int param_get_uint(char *buffer, const struct kernel_param *kp);
int param_set_bool(const char *value, const struct kernel_param *kp);
int param_get_bool(char *buffer, const struct kernel_param *kp);
int param_get_ulong(char *buffer, const struct kernel_param *kp);
int param_get_string(char *buffer, const struct kernel_param *kp);
extern const struct kernel_param_ops param_ops_int, param_ops_uint, param_ops_bool;

int boolero_module_init(void);
void boolero_module_exit(void);
#define module_init(function) int boolero_module_init(void) { return function(); } struct boolero_nothing
#define module_exit(function) void boolero_module_exit(void) { function(); } struct boolero_nothing
#define __initcall module_init
#define late_initcall module_init
#define subsys_initcall module_init
#define subsys_initcall_sync module_init
#define arch_initcall module_init
#define core_initcall module_init
#define postcore_initcall module_init
#define fs_initcall module_init
#define device_initcall module_init
#define device_initcall_sync module_init
#define late_initcall_sync module_init
#define rootfs_initcall module_init
#define console_initcall module_init
#define __exitcall module_exit
#define module_driver(driver, add, remove, ...) \
	int boolero_module_init(void) { return add(&(driver), ##__VA_ARGS__); } \
	void boolero_module_exit(void) { remove(&(driver), ##__VA_ARGS__); } struct boolero_nothing
#define builtin_driver(driver, add, ...) int boolero_module_init(void) { return add(&(driver), ##__VA_ARGS__); } struct boolero_nothing
struct boolero_nothing { int nothing; };

int try_module_get(struct module *module);
void __module_get(struct module *module);
void module_put(struct module *module);
int module_refcount(struct module *module);
#define request_module(...) 0
#define request_module_nowait(...) 0
#define symbol_get(x) (&(x))
#define symbol_put(x) ((void)0)
#define module_name(module) "driver"
#endif
