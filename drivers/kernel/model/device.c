/* What ends with the binding of a device, the last one first; attributes, resources, registers. */
struct boolero_resource { void (*release)(void *); void *data; };
struct boolero_resource boolero_resources[32];
int boolero_resource_count;

void boolero_devres(void (*release)(void *), void *data) {
	if (boolero_resource_count >= 32)
		boolero_unsupported("more than 32 managed resources of a device");
	boolero_resources[boolero_resource_count].release = release;
	boolero_resources[boolero_resource_count].data = data;
	boolero_resource_count++;
}
void boolero_detach(void) {
	while (boolero_resource_count > 0) {
		boolero_resource_count--;
		if (boolero_resources[boolero_resource_count].release)
			boolero_resources[boolero_resource_count].release(boolero_resources[boolero_resource_count].data);
	}
}
void boolero_free_memory(void *memory) { free(memory); }
void *devm_kzalloc(struct device *dev, size_t size, gfp_t flags) {
	if (flags & __GFP_RECLAIM)
		boolero_may_sleep();
	if (boolero_fails())
		return NULL;
	void *memory = calloc(1, size);
	boolero_devres(boolero_free_memory, memory);
	return memory;
}
void *devm_kmalloc(struct device *dev, size_t size, gfp_t flags) {
	if (flags & __GFP_RECLAIM)
		boolero_may_sleep();
	if (boolero_fails())
		return NULL;
	void *memory = malloc(size);
	boolero_devres(boolero_free_memory, memory);
	return memory;
}
void *devm_kcalloc(struct device *dev, size_t count, size_t size, gfp_t flags) { return devm_kzalloc(dev, count * size, flags); }
void *devm_kmalloc_array(struct device *dev, size_t count, size_t size, gfp_t flags) { return devm_kmalloc(dev, count * size, flags); }
void *devm_kmemdup(struct device *dev, const void *source, size_t size, gfp_t flags) { void *copy = devm_kmalloc(dev, size, flags); if (copy) memcpy(copy, source, size); return copy; }
char *devm_kasprintf(struct device *dev, gfp_t flags, const char *format, ...) { return devm_kzalloc(dev, 64, flags); }
char *devm_kstrdup(struct device *dev, const char *text, gfp_t flags) { return devm_kzalloc(dev, strlen(text) + 1, flags); }
void devm_kfree(struct device *dev, const void *memory) {
	for (int i = 0; i < boolero_resource_count; i++)
		if (boolero_resources[i].data == memory && boolero_resources[i].release == boolero_free_memory)
			boolero_resources[i].release = NULL;
	free((void *)memory);
}
int devm_add_action(struct device *dev, void (*action)(void *), void *data) { if (boolero_fails()) return -ENOMEM; boolero_devres(action, data); return 0; }
int devm_add_action_or_reset(struct device *dev, void (*action)(void *), void *data) { if (boolero_fails()) { action(data); return -ENOMEM; } boolero_devres(action, data); return 0; }
void devm_remove_action(struct device *dev, void (*action)(void *), void *data) {
	for (int i = 0; i < boolero_resource_count; i++)
		if (boolero_resources[i].data == data && boolero_resources[i].release == action)
			boolero_resources[i].release = NULL;
}
struct device *get_device(struct device *dev) { return dev; }
void put_device(struct device *dev) { }
int dev_set_name(struct device *dev, const char *format, ...) { return boolero_fails() ? -ENOMEM : 0; }
void boolero_attr_init(struct attribute *attr) { }
int device_create_file(struct device *dev, const struct device_attribute *attr) { boolero_may_sleep(); return boolero_fails() ? -ENOMEM : 0; }
void device_remove_file(struct device *dev, const struct device_attribute *attr) { boolero_may_sleep(); }
int sysfs_create_group(struct kobject *kobj, const struct attribute_group *group) { boolero_may_sleep(); return boolero_fails() ? -ENOMEM : 0; }
void sysfs_remove_group(struct kobject *kobj, const struct attribute_group *group) { boolero_may_sleep(); }
int sysfs_create_file(struct kobject *kobj, const struct attribute *attr) { boolero_may_sleep(); return boolero_fails() ? -ENOMEM : 0; }
void sysfs_remove_file(struct kobject *kobj, const struct attribute *attr) { boolero_may_sleep(); }
int sysfs_emit(char *buffer, const char *format, ...) { return __VERIFIER_nondet_int() & 255; }

struct resource boolero_a_resource;
unsigned char boolero_registers[16];
struct resource *request_region(resource_size_t start, resource_size_t count, const char *name) { return boolero_fails() ? NULL : &boolero_a_resource; }
void release_region(resource_size_t start, resource_size_t count) { }
struct resource *request_muxed_region(resource_size_t start, resource_size_t count, const char *name) { return boolero_fails() ? NULL : &boolero_a_resource; }
struct resource *request_mem_region(resource_size_t start, resource_size_t count, const char *name) { return boolero_fails() ? NULL : &boolero_a_resource; }
void release_mem_region(resource_size_t start, resource_size_t count) { }
struct resource *devm_request_region(struct device *dev, resource_size_t start, resource_size_t count, const char *name) { return boolero_fails() ? NULL : &boolero_a_resource; }
struct resource *devm_request_mem_region(struct device *dev, resource_size_t start, resource_size_t count, const char *name) { return boolero_fails() ? NULL : &boolero_a_resource; }
void *ioremap(phys_addr_t address, size_t size) { boolero_may_sleep(); return boolero_fails() ? NULL : (void *)boolero_registers; }
void iounmap(volatile void *address) { boolero_may_sleep(); }
void *devm_ioremap(struct device *dev, resource_size_t address, resource_size_t size) { return boolero_fails() ? NULL : (void *)boolero_registers; }
void *devm_ioremap_resource(struct device *dev, const struct resource *resource) { return boolero_fails() ? ERR_PTR(-EBUSY) : (void *)boolero_registers; }
void *devm_platform_ioremap_resource(struct platform_device *pdev, unsigned int index) { return boolero_fails() ? ERR_PTR(-EBUSY) : (void *)boolero_registers; }
void *devm_platform_ioremap_resource_byname(struct platform_device *pdev, const char *name) { return boolero_fails() ? ERR_PTR(-EBUSY) : (void *)boolero_registers; }
struct resource boolero_platform_resource;
struct resource *platform_get_resource(struct platform_device *pdev, unsigned int type, unsigned int index) { return boolero_fails() ? NULL : &boolero_platform_resource; }
struct resource *platform_get_resource_byname(struct platform_device *pdev, unsigned int type, const char *name) { return boolero_fails() ? NULL : &boolero_platform_resource; }
int platform_get_irq(struct platform_device *pdev, unsigned int index) { return boolero_fails() ? -ENXIO : 17 + (int)(index & 3); }
int platform_get_irq_optional(struct platform_device *pdev, unsigned int index) { return boolero_fails() ? -ENXIO : 17 + (int)(index & 3); }
int platform_get_irq_byname(struct platform_device *pdev, const char *name) { return boolero_fails() ? -ENXIO : 17; }

/* Run-time power management: who needs the device wakes it up; when nobody does, it may fall asleep, at once or later. */
int boolero_pm_enabled, boolero_pm_awake, boolero_pm_users;
int boolero_pm_wake(void) {
	if (!boolero_pm_enabled || boolero_pm_awake)
		return boolero_pm_enabled || boolero_pm_awake ? 1 : -EACCES;
	const struct dev_pm_ops *pm = boolero_driver ? boolero_driver->pm : NULL;
	if (boolero_fails())
		return -EIO;
	if (pm && pm->runtime_resume) {
		int error = pm->runtime_resume(boolero_device);
		if (error)
			return error;
	}
	boolero_pm_awake = 1;
	return 0;
}
int boolero_pm_sleep(void) {
	if (!boolero_pm_awake)
		return 0;
	const struct dev_pm_ops *pm = boolero_driver ? boolero_driver->pm : NULL;
	if (pm && pm->runtime_suspend) {
		int error = pm->runtime_suspend(boolero_device);
		if (error)
			return error;
	}
	boolero_pm_awake = 0;
	return 0;
}
void boolero_pm_unused(void) {
	if (boolero_pm_users > 0)
		boolero_pm_users--;
	if (boolero_pm_enabled && boolero_pm_users == 0 && boolero_any())
		boolero_pm_sleep();
}
void pm_runtime_enable(struct device *dev) { boolero_pm_enabled = 1; }
void pm_runtime_disable(struct device *dev) { boolero_pm_enabled = 0; }
int pm_runtime_set_active(struct device *dev) { boolero_pm_awake = 1; return 0; }
void pm_runtime_set_suspended(struct device *dev) { boolero_pm_awake = 0; }
int pm_runtime_get_sync(struct device *dev) { boolero_may_sleep(); boolero_pm_users++; return boolero_pm_wake(); }
int pm_runtime_resume_and_get(struct device *dev) {
	boolero_may_sleep();
	int error = boolero_pm_wake();
	if (error < 0)
		return error;
	boolero_pm_users++;
	return 0;
}
int pm_runtime_put_sync(struct device *dev) { boolero_may_sleep(); boolero_pm_unused(); return 0; }
int pm_runtime_put(struct device *dev) { boolero_pm_unused(); return 0; }
int pm_runtime_put_autosuspend(struct device *dev) { boolero_pm_unused(); return 0; }
int pm_runtime_put_sync_autosuspend(struct device *dev) { boolero_may_sleep(); boolero_pm_unused(); return 0; }
void pm_runtime_put_noidle(struct device *dev) { if (boolero_pm_users > 0) boolero_pm_users--; }
void pm_runtime_get_noresume(struct device *dev) { boolero_pm_users++; }
int pm_runtime_idle(struct device *dev) { if (boolero_pm_enabled && boolero_pm_users == 0 && boolero_any()) return boolero_pm_sleep(); return 0; }
int pm_runtime_force_suspend(struct device *dev) { boolero_may_sleep(); boolero_pm_enabled = 0; return boolero_pm_sleep(); }
int pm_runtime_force_resume(struct device *dev) { boolero_may_sleep(); boolero_pm_enabled = 1; int error = boolero_pm_wake(); return error < 0 ? error : 0; }
