/* Platform devices and their drivers. */
#include <linux/kernel.h>
#ifndef BOOLERO_PLATFORM_H
#define BOOLERO_PLATFORM_H
#include <linux/device.h>
#define PLATFORM_NAME_SIZE 24
#define PLATFORM_DEVID_NONE (-1)
#define PLATFORM_DEVID_AUTO (-2)
struct platform_device_id { char name[PLATFORM_NAME_SIZE]; kernel_ulong_t driver_data; };
struct mfd_cell;
struct platform_device { const char *name; int id; struct device dev; u32 num_resources; struct resource *resource; const struct platform_device_id *id_entry; const struct mfd_cell *mfd_cell; };
struct platform_driver { int (*probe)(struct platform_device *pdev); BOOLERO_REMOVE (*remove)(struct platform_device *pdev); void (*remove_new)(struct platform_device *pdev); void (*shutdown)(struct platform_device *pdev); int (*suspend)(struct platform_device *pdev, pm_message_t state); int (*resume)(struct platform_device *pdev); struct device_driver driver; const struct platform_device_id *id_table; bool prevent_deferred_probe; };
struct platform_device_info { struct device *parent; struct fwnode_handle *fwnode; const char *name; int id; const struct resource *res; unsigned int num_res; const void *data; size_t size_data; u64 dma_mask; };
#define to_platform_device(x) container_of((x), struct platform_device, dev)
#define to_platform_driver(x) container_of((x), struct platform_driver, driver)
static inline void *platform_get_drvdata(const struct platform_device *pdev) { return pdev->dev.driver_data; }
static inline void platform_set_drvdata(struct platform_device *pdev, void *data) { pdev->dev.driver_data = data; }
#define platform_get_device_id(pdev) ((pdev)->id_entry)
#define to_platform_device_or_null to_platform_device
#define module_platform_driver(driver) module_driver(driver, platform_driver_register, platform_driver_unregister)
#define builtin_platform_driver(driver) builtin_driver(driver, platform_driver_register)
#define module_platform_driver_probe(driver, probe) \
	int boolero_module_init(void) { return platform_driver_probe(&(driver), probe); } \
	void boolero_module_exit(void) { platform_driver_unregister(&(driver)); } struct boolero_nothing
#define builtin_platform_driver_probe(driver, probe) int boolero_module_init(void) { return platform_driver_probe(&(driver), probe); } struct boolero_nothing
int platform_driver_register(struct platform_driver *driver);
void platform_driver_unregister(struct platform_driver *driver);
int platform_driver_probe(struct platform_driver *driver, int (*probe)(struct platform_device *));
struct platform_device *platform_create_bundle(struct platform_driver *driver, int (*probe)(struct platform_device *), struct resource *resources, unsigned int count, const void *data, size_t size);
int platform_register_drivers(struct platform_driver *const *drivers, unsigned int count);
void platform_unregister_drivers(struct platform_driver *const *drivers, unsigned int count);
struct resource *platform_get_resource(struct platform_device *pdev, unsigned int type, unsigned int index);
struct resource *platform_get_resource_byname(struct platform_device *pdev, unsigned int type, const char *name);
struct resource *platform_get_mem_or_io(struct platform_device *pdev, unsigned int index);
int platform_get_irq(struct platform_device *pdev, unsigned int index);
int platform_get_irq_optional(struct platform_device *pdev, unsigned int index);
int platform_get_irq_byname(struct platform_device *pdev, const char *name);
int platform_get_irq_byname_optional(struct platform_device *pdev, const char *name);
int platform_irq_count(struct platform_device *pdev);
void *devm_platform_ioremap_resource(struct platform_device *pdev, unsigned int index);
void *devm_platform_ioremap_resource_byname(struct platform_device *pdev, const char *name);
void *devm_platform_get_and_ioremap_resource(struct platform_device *pdev, unsigned int index, struct resource **resource);
struct platform_device *platform_device_alloc(const char *name, int id);
int platform_device_add(struct platform_device *pdev);
int platform_device_add_data(struct platform_device *pdev, const void *data, size_t size);
int platform_device_add_resources(struct platform_device *pdev, const struct resource *resources, unsigned int count);
void platform_device_del(struct platform_device *pdev);
void platform_device_put(struct platform_device *pdev);
int platform_device_register(struct platform_device *pdev);
void platform_device_unregister(struct platform_device *pdev);
struct platform_device *platform_device_register_simple(const char *name, int id, const struct resource *resources, unsigned int count);
struct platform_device *platform_device_register_data(struct device *parent, const char *name, int id, const void *data, size_t size);
struct platform_device *platform_device_register_full(const struct platform_device_info *info);
struct platform_device *platform_device_register_resndata(struct device *parent, const char *name, int id, const struct resource *resources, unsigned int count, const void *data, size_t size);
int platform_add_devices(struct platform_device **devices, int count);
extern struct device platform_bus;
extern struct bus_type platform_bus_type;
#endif
