/* Buses: there is one device of each kind, which comes, is used, and goes. */
extern int boolero_pm_enabled, boolero_pm_awake, boolero_pm_users;
struct device_driver *boolero_driver;
int boolero_bound;
struct device *boolero_device;
struct of_device_id boolero_no_match;

void boolero_begin(struct device *dev, struct device_driver *driver) {
	boolero_pm_enabled = 0;
	boolero_pm_awake = 0;
	boolero_pm_users = 0;
	boolero_device = dev;
	boolero_driver = driver;
	dev->driver = driver;
	dev->driver_data = NULL;
	dev->platform_data = boolero_platform_data();
	dev->of_node = &boolero_nodes[0];
	dev->init_name = "device";
	callback_enter();
}
void boolero_probed(int error) {
	callback_return();
	boolero_bound = error >= 0;
	if (boolero_bound) {
		probe_succeeded();
		return;
	}
	boolero_detach();
	probe_failed();
}
void boolero_removed(void) {
	callback_return();
	boolero_detach();
	boolero_bound = 0;
	device_removed();
}
/* What becomes of a device that does not wake up again is nobody's concern here: the run ends. */
void boolero_resumed(int error) {
	callback_return();
	__VERIFIER_assume(!error);
}
void boolero_pm(struct device *dev, const struct dev_pm_ops *pm) {
	if (!boolero_bound || !pm || !pm->suspend)
		return;
	callback_enter();
	int error = pm->suspend(dev);
	callback_return();
	if (error || !pm->resume)
		return;
	callback_enter();
	boolero_resumed(pm->resume(dev));
}
void boolero_step_pm(void) {
	if (boolero_bound)
		boolero_pm(boolero_device, boolero_driver->pm);
}

struct platform_driver *boolero_platform_driver;
struct platform_device boolero_platform_device;
int (*boolero_platform_probe)(struct platform_device *);
int platform_driver_register(struct platform_driver *driver) { if (boolero_fails()) return -EBUSY; boolero_platform_driver = driver; boolero_platform_probe = driver->probe; return 0; }
int platform_driver_probe(struct platform_driver *driver, int (*probe)(struct platform_device *)) { if (boolero_fails()) return -ENODEV; boolero_platform_driver = driver; boolero_platform_probe = probe; return 0; }
void boolero_bind_platform(void) {
	if (!boolero_platform_driver || boolero_bound || !boolero_platform_probe)
		return;
	boolero_begin(&boolero_platform_device.dev, &boolero_platform_driver->driver);
	boolero_probed(boolero_platform_probe(&boolero_platform_device));
}
void boolero_unbind_platform(void) {
	if (!boolero_platform_driver || !boolero_bound)
		return;
	callback_enter();
	if (boolero_platform_driver->remove)
		boolero_platform_driver->remove(&boolero_platform_device);
	else if (boolero_platform_driver->remove_new)
		boolero_platform_driver->remove_new(&boolero_platform_device);
	boolero_removed();
}
void boolero_step_platform(void) {
	if (!boolero_platform_driver || !boolero_bound || !boolero_platform_driver->suspend)
		return;
	callback_enter();
	int error = boolero_platform_driver->suspend(&boolero_platform_device, PMSG_SUSPEND);
	callback_return();
	if (error || !boolero_platform_driver->resume)
		return;
	callback_enter();
	boolero_resumed(boolero_platform_driver->resume(&boolero_platform_device));
}
void platform_driver_unregister(struct platform_driver *driver) { boolero_unbind_platform(); boolero_platform_driver = NULL; }

struct i2c_driver *boolero_i2c_driver;
struct i2c_client boolero_i2c_client;
struct i2c_adapter boolero_i2c_adapter;
int i2c_register_driver(struct i2c_driver *driver) { if (boolero_fails()) return -EBUSY; boolero_i2c_driver = driver; return 0; }
void boolero_bind_i2c(void) {
	if (!boolero_i2c_driver || boolero_bound)
		return;
	boolero_i2c_client.adapter = &boolero_i2c_adapter;
	boolero_i2c_client.irq = boolero_any() ? 0 : 20;
	boolero_begin(&boolero_i2c_client.dev, &boolero_i2c_driver->driver);
#ifdef BOOLERO_ONE_ARGUMENT
	boolero_probed(boolero_i2c_driver->probe ? boolero_i2c_driver->probe(&boolero_i2c_client) : boolero_i2c_driver->probe_new(&boolero_i2c_client));
#else
	boolero_probed(boolero_i2c_driver->probe ? boolero_i2c_driver->probe(&boolero_i2c_client, boolero_i2c_driver->id_table) : boolero_i2c_driver->probe_new(&boolero_i2c_client));
#endif
}
void boolero_unbind_i2c(void) {
	if (!boolero_i2c_driver || !boolero_bound)
		return;
	callback_enter();
	if (boolero_i2c_driver->remove)
		boolero_i2c_driver->remove(&boolero_i2c_client);
	boolero_removed();
}
void i2c_del_driver(struct i2c_driver *driver) { boolero_unbind_i2c(); boolero_i2c_driver = NULL; }
int i2c_check_functionality(struct i2c_adapter *adapter, u32 functions) { return !boolero_fails(); }
int i2c_transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count) { boolero_may_sleep(); return boolero_fails() ? -EIO : boolero_fails() ? 0 : count; }
int i2c_master_send(const struct i2c_client *client, const char *buffer, int count) { boolero_may_sleep(); (void)*(const volatile unsigned short *)&client->addr; return boolero_fails() ? -EIO : count; }
int i2c_master_recv(const struct i2c_client *client, char *buffer, int count) { boolero_may_sleep(); (void)*(const volatile unsigned short *)&client->addr; if (boolero_fails()) return -EIO; for (int i = 0; i < count; i++) buffer[i] = (char)__VERIFIER_nondet_uchar(); return count; }
s32 i2c_smbus_read_byte(const struct i2c_client *client) { boolero_may_sleep(); (void)*(const volatile unsigned short *)&client->addr; return boolero_fails() ? -EIO : __VERIFIER_nondet_uchar(); }
s32 i2c_smbus_read_byte_data(const struct i2c_client *client, u8 command) { boolero_may_sleep(); (void)*(const volatile unsigned short *)&client->addr; return boolero_fails() ? -EIO : __VERIFIER_nondet_uchar(); }
s32 i2c_smbus_read_word_data(const struct i2c_client *client, u8 command) { boolero_may_sleep(); (void)*(const volatile unsigned short *)&client->addr; return boolero_fails() ? -EIO : (s32)(__VERIFIER_nondet_uint() & 0xffff); }
s32 i2c_smbus_write_byte(const struct i2c_client *client, u8 value) { boolero_may_sleep(); (void)*(const volatile unsigned short *)&client->addr; return boolero_fails() ? -EIO : 0; }
s32 i2c_smbus_write_byte_data(const struct i2c_client *client, u8 command, u8 value) { boolero_may_sleep(); (void)*(const volatile unsigned short *)&client->addr; return boolero_fails() ? -EIO : 0; }
s32 i2c_smbus_write_word_data(const struct i2c_client *client, u8 command, u16 value) { boolero_may_sleep(); (void)*(const volatile unsigned short *)&client->addr; return boolero_fails() ? -EIO : 0; }
s32 i2c_smbus_read_i2c_block_data(const struct i2c_client *client, u8 command, u8 length, u8 *values) { boolero_may_sleep(); (void)*(const volatile unsigned short *)&client->addr; if (boolero_fails()) return -EIO; for (int i = 0; i < length; i++) values[i] = __VERIFIER_nondet_uchar(); return length; }
s32 i2c_smbus_write_i2c_block_data(const struct i2c_client *client, u8 command, u8 length, const u8 *values) { boolero_may_sleep(); (void)*(const volatile unsigned short *)&client->addr; return boolero_fails() ? -EIO : 0; }
struct i2c_adapter *boolero_added_adapter;
int i2c_add_adapter(struct i2c_adapter *adapter) { boolero_may_sleep(); return boolero_fails() ? -ENOMEM : 0; }
int i2c_add_numbered_adapter(struct i2c_adapter *adapter) { boolero_may_sleep(); return boolero_fails() ? -ENOMEM : 0; }
void _i2c_del_adapter(struct i2c_adapter *adapter) { boolero_may_sleep(); }

struct spi_driver *boolero_spi_driver;
struct spi_device boolero_spi_device;
struct spi_master boolero_spi_master;
int spi_register_driver(struct spi_driver *driver) { if (boolero_fails()) return -EBUSY; boolero_spi_driver = driver; return 0; }
void boolero_bind_spi(void) {
	if (!boolero_spi_driver || boolero_bound)
		return;
	boolero_spi_device.master = &boolero_spi_master;
	boolero_spi_device.controller = &boolero_spi_master;
	boolero_spi_device.irq = boolero_any() ? 0 : 21;
	boolero_begin(&boolero_spi_device.dev, &boolero_spi_driver->driver);
	boolero_probed(boolero_spi_driver->probe(&boolero_spi_device));
}
void boolero_unbind_spi(void) {
	if (!boolero_spi_driver || !boolero_bound)
		return;
	callback_enter();
	if (boolero_spi_driver->remove)
		boolero_spi_driver->remove(&boolero_spi_device);
	boolero_removed();
}
void spi_unregister_driver(struct spi_driver *driver) { boolero_unbind_spi(); boolero_spi_driver = NULL; }
const struct spi_device_id *spi_get_device_id(const struct spi_device *spi) { return boolero_spi_driver->id_table; }
int spi_setup(struct spi_device *spi) { boolero_may_sleep(); return boolero_fails() ? -EINVAL : 0; }
int spi_sync(struct spi_device *spi, struct spi_message *message) { boolero_may_sleep(); return boolero_fails() ? -EIO : 0; }
int spi_write(struct spi_device *spi, const void *buffer, size_t count) { boolero_may_sleep(); return boolero_fails() ? -EIO : 0; }
int spi_read(struct spi_device *spi, void *buffer, size_t count) { boolero_may_sleep(); if (boolero_fails()) return -EIO; for (size_t i = 0; i < count; i++) ((u8 *)buffer)[i] = __VERIFIER_nondet_uchar(); return 0; }
int spi_write_then_read(struct spi_device *spi, const void *to, unsigned int to_count, void *from, unsigned int from_count) { return spi_read(spi, from, from_count); }
ssize_t spi_w8r8(struct spi_device *spi, u8 command) { boolero_may_sleep(); return boolero_fails() ? -EIO : __VERIFIER_nondet_uchar(); }
struct spi_master *spi_alloc_master(struct device *dev, unsigned int size) {
	boolero_may_sleep();
	if (boolero_fails())
		return NULL;
	struct spi_master *master = calloc(1, sizeof(*master) + size);
	master->dev.driver_data = master + 1;
	return master;
}
int spi_register_master(struct spi_master *master) { boolero_may_sleep(); return boolero_fails() ? -EBUSY : 0; }
void boolero_release_master(void *master) { free(master); }
int devm_spi_register_master(struct device *dev, struct spi_master *master) { boolero_may_sleep(); if (boolero_fails()) return -EBUSY; boolero_devres(boolero_release_master, master); return 0; }
void spi_unregister_master(struct spi_master *master) { boolero_may_sleep(); free(master); }
void spi_master_put(struct spi_master *master) { free(master); }

struct amba_driver *boolero_amba_driver;
struct amba_device boolero_amba_device;
int amba_driver_register(struct amba_driver *driver) { if (boolero_fails()) return -EBUSY; boolero_amba_driver = driver; return 0; }
void boolero_bind_amba(void) {
	if (!boolero_amba_driver || boolero_bound)
		return;
	boolero_amba_device.irq[0] = 22;
	boolero_begin(&boolero_amba_device.dev, &boolero_amba_driver->drv);
	boolero_probed(boolero_amba_driver->probe(&boolero_amba_device, boolero_amba_driver->id_table));
}
void boolero_unbind_amba(void) {
	if (!boolero_amba_driver || !boolero_bound)
		return;
	callback_enter();
	if (boolero_amba_driver->remove)
		boolero_amba_driver->remove(&boolero_amba_device);
	boolero_removed();
}
void amba_driver_unregister(struct amba_driver *driver) { boolero_unbind_amba(); boolero_amba_driver = NULL; }
int amba_request_regions(struct amba_device *dev, const char *name) { boolero_may_sleep(); return boolero_fails() ? -EBUSY : 0; }
void amba_release_regions(struct amba_device *dev) { }

struct pci_driver *boolero_pci_driver;
struct pci_dev boolero_pci_device;
int pci_register_driver(struct pci_driver *driver) { if (boolero_fails()) return -EBUSY; boolero_pci_driver = driver; return 0; }
void boolero_bind_pci(void) {
	if (!boolero_pci_driver || boolero_bound)
		return;
	boolero_pci_device.irq = 23;
	boolero_begin(&boolero_pci_device.dev, &boolero_pci_driver->driver);
	boolero_probed(boolero_pci_driver->probe(&boolero_pci_device, boolero_pci_driver->id_table));
}
void boolero_unbind_pci(void) {
	if (!boolero_pci_driver || !boolero_bound)
		return;
	callback_enter();
	if (boolero_pci_driver->remove)
		boolero_pci_driver->remove(&boolero_pci_device);
	boolero_removed();
}
void pci_unregister_driver(struct pci_driver *driver) { boolero_unbind_pci(); boolero_pci_driver = NULL; }
int pci_enable_device(struct pci_dev *pdev) { boolero_may_sleep(); return boolero_fails() ? -EIO : 0; }
int pcim_enable_device(struct pci_dev *pdev) { boolero_may_sleep(); return boolero_fails() ? -EIO : 0; }
void pci_disable_device(struct pci_dev *pdev) { boolero_may_sleep(); }
int pci_request_regions(struct pci_dev *pdev, const char *name) { boolero_may_sleep(); return boolero_fails() ? -EBUSY : 0; }
void pci_release_regions(struct pci_dev *pdev) { }
int pci_request_region(struct pci_dev *pdev, int bar, const char *name) { boolero_may_sleep(); return boolero_fails() ? -EBUSY : 0; }
void pci_release_region(struct pci_dev *pdev, int bar) { }
void *pci_iomap(struct pci_dev *pdev, int bar, unsigned long most) { return ioremap(0, 0); }
void pci_iounmap(struct pci_dev *pdev, void *address) { iounmap(address); }
int pci_read_config_dword(const struct pci_dev *pdev, int where, u32 *value) { *value = __VERIFIER_nondet_uint(); return 0; }
int pci_write_config_dword(const struct pci_dev *pdev, int where, u32 value) { return 0; }
