/* Devices on serial buses: I2C, SPI, AMBA, PCI, USB, HID, serio and the like. */
#ifndef BOOLERO_I2C_H
#define BOOLERO_I2C_H
#include <linux/clk.h>
#include <linux/kernel.h>
struct i2c_adapter; struct i2c_client;
struct i2c_msg { u16 addr; u16 flags; u16 len; u8 *buf; };
#define I2C_M_RD 1
#define I2C_M_TEN 0x10
#define I2C_M_NOSTART 0x4000
#define I2C_M_IGNORE_NAK 0x1000
#define I2C_M_NO_RD_ACK 0x0800
#define I2C_M_RECV_LEN 0x0400
#define I2C_M_STOP 0x8000
#define I2C_SMBUS_BLOCK_MAX 32
#define I2C_SMBUS_I2C_BLOCK_MAX 32
#define I2C_NAME_SIZE 20
#define I2C_FUNC_I2C 1
#define I2C_FUNC_10BIT_ADDR 2
#define I2C_FUNC_SMBUS_QUICK 0x10000
#define I2C_FUNC_SMBUS_READ_BYTE 0x20000
#define I2C_FUNC_SMBUS_WRITE_BYTE 0x40000
#define I2C_FUNC_SMBUS_READ_BYTE_DATA 0x80000
#define I2C_FUNC_SMBUS_WRITE_BYTE_DATA 0x100000
#define I2C_FUNC_SMBUS_READ_WORD_DATA 0x200000
#define I2C_FUNC_SMBUS_WRITE_WORD_DATA 0x400000
#define I2C_FUNC_SMBUS_READ_I2C_BLOCK 0x4000000
#define I2C_FUNC_SMBUS_WRITE_I2C_BLOCK 0x8000000
#define I2C_FUNC_SMBUS_BYTE 0x60000
#define I2C_FUNC_SMBUS_BYTE_DATA 0x180000
#define I2C_FUNC_SMBUS_WORD_DATA 0x600000
#define I2C_FUNC_SMBUS_I2C_BLOCK 0xc000000
#define I2C_FUNC_SMBUS_BLOCK_DATA 0x3000000
#define I2C_FUNC_SMBUS_EMUL 0xeff0008
#define I2C_CLIENT_WAKE 0x80
#define I2C_CLASS_HWMON 1
#define I2C_CLASS_DEPRECATED 256
#define I2C_READ 1
#define I2C_WRITE 0
struct i2c_algorithm { int (*master_xfer)(struct i2c_adapter *, struct i2c_msg *, int); int (*smbus_xfer)(); u32 (*functionality)(struct i2c_adapter *); int (*reg_slave)(); int (*unreg_slave)(); };
struct i2c_adapter_quirks { u64 flags; int max_num_msgs; u16 max_write_len, max_read_len, max_comb_1st_msg_len, max_comb_2nd_msg_len; };
struct i2c_bus_recovery_info { int (*recover_bus)(struct i2c_adapter *); int (*get_scl)(struct i2c_adapter *); void (*set_scl)(struct i2c_adapter *, int); int (*get_sda)(struct i2c_adapter *); void (*set_sda)(struct i2c_adapter *, int); int (*get_bus_free)(struct i2c_adapter *); void (*prepare_recovery)(struct i2c_adapter *); void (*unprepare_recovery)(struct i2c_adapter *); };
struct i2c_adapter { struct module *owner; unsigned int class; const struct i2c_algorithm *algo; void *algo_data; int timeout; int retries; struct device dev; int nr; char name[48]; struct i2c_bus_recovery_info *bus_recovery_info; const struct i2c_adapter_quirks *quirks; };
struct i2c_client { unsigned short flags; unsigned short addr; char name[I2C_NAME_SIZE]; struct i2c_adapter *adapter; struct device dev; int irq; struct list_head detected; struct i2c_driver *driver; };
#ifdef BOOLERO_ONE_ARGUMENT
#define BOOLERO_I2C_PROBE (struct i2c_client *)
#else
#define BOOLERO_I2C_PROBE (struct i2c_client *, const struct i2c_device_id *)
#endif
struct i2c_driver { unsigned int class; int (*probe)BOOLERO_I2C_PROBE; BOOLERO_REMOVE (*remove)(struct i2c_client *); int (*probe_new)(struct i2c_client *); void (*shutdown)(struct i2c_client *); void (*alert)(); int (*command)(); struct device_driver driver; const struct i2c_device_id *id_table; int (*detect)(); const unsigned short *address_list; int (*suspend)(struct i2c_client *, pm_message_t); int (*resume)(struct i2c_client *); };
struct i2c_board_info { char type[I2C_NAME_SIZE]; unsigned short flags, addr; void *platform_data; struct device_node *of_node; struct fwnode_handle *fwnode; int irq; const char *dev_name; };
#define I2C_BOARD_INFO(t, a) .type = t, .addr = (a)
#define to_i2c_client(d) container_of(d, struct i2c_client, dev)
#define to_i2c_adapter(d) container_of(d, struct i2c_adapter, dev)
static inline void *i2c_get_clientdata(const struct i2c_client *client) { return client->dev.driver_data; }
static inline void i2c_set_clientdata(struct i2c_client *client, void *data) { client->dev.driver_data = data; }
static inline void *i2c_get_adapdata(const struct i2c_adapter *adapter) { return adapter->dev.driver_data; }
static inline void i2c_set_adapdata(struct i2c_adapter *adapter, void *data) { adapter->dev.driver_data = data; }
static inline int i2c_adapter_id(struct i2c_adapter *adapter) { return adapter->nr; }
const struct i2c_device_id *i2c_match_id(const struct i2c_device_id *table, const struct i2c_client *client);
const struct i2c_device_id *i2c_client_get_device_id(const struct i2c_client *client);
int i2c_register_driver(struct i2c_driver *driver);
#define i2c_add_driver i2c_register_driver
void i2c_del_driver(struct i2c_driver *driver);
#define module_i2c_driver(driver) module_driver(driver, i2c_add_driver, i2c_del_driver)
int i2c_check_functionality(struct i2c_adapter *adapter, u32 functions);
u32 i2c_get_functionality(struct i2c_adapter *adapter);
int i2c_transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count);
#define __i2c_transfer i2c_transfer
int i2c_master_send(const struct i2c_client *client, const char *buffer, int count);
int i2c_master_recv(const struct i2c_client *client, char *buffer, int count);
s32 i2c_smbus_read_byte(const struct i2c_client *client);
s32 i2c_smbus_write_byte(const struct i2c_client *client, u8 value);
s32 i2c_smbus_read_byte_data(const struct i2c_client *client, u8 command);
s32 i2c_smbus_write_byte_data(const struct i2c_client *client, u8 command, u8 value);
s32 i2c_smbus_read_word_data(const struct i2c_client *client, u8 command);
s32 i2c_smbus_write_word_data(const struct i2c_client *client, u8 command, u16 value);
s32 i2c_smbus_read_word_swapped(const struct i2c_client *client, u8 command);
s32 i2c_smbus_write_word_swapped(const struct i2c_client *client, u8 command, u16 value);
s32 i2c_smbus_read_i2c_block_data(const struct i2c_client *client, u8 command, u8 length, u8 *values);
s32 i2c_smbus_write_i2c_block_data(const struct i2c_client *client, u8 command, u8 length, const u8 *values);
s32 i2c_smbus_read_block_data(const struct i2c_client *client, u8 command, u8 *values);
s32 i2c_smbus_read_i2c_block_data_or_emulated(const struct i2c_client *client, u8 command, u8 length, u8 *values);
struct i2c_client *i2c_new_dummy_device(struct i2c_adapter *adapter, u16 address);
struct i2c_client *devm_i2c_new_dummy_device(struct device *dev, struct i2c_adapter *adapter, u16 address);
struct i2c_client *i2c_new_device(struct i2c_adapter *adapter, const struct i2c_board_info *info);
#define i2c_new_client_device i2c_new_device
#define i2c_new_dummy i2c_new_dummy_device
void i2c_unregister_device(struct i2c_client *client);
struct i2c_adapter *i2c_get_adapter(int nr);
void i2c_put_adapter(struct i2c_adapter *adapter);
int i2c_add_adapter(struct i2c_adapter *adapter);
int i2c_add_numbered_adapter(struct i2c_adapter *adapter);
int devm_i2c_add_adapter(struct device *dev, struct i2c_adapter *adapter);
void _i2c_del_adapter(struct i2c_adapter *adapter);
#define i2c_del_adapter(adapter) (_i2c_del_adapter(adapter), 0)
int i2c_recover_bus(struct i2c_adapter *adapter);
int i2c_generic_scl_recovery(struct i2c_adapter *adapter);
int i2c_generic_gpio_recovery(struct i2c_adapter *adapter);
u8 i2c_8bit_addr_from_msg(const struct i2c_msg *message);

struct spi_device; struct spi_message; struct spi_transfer;
struct spi_master { struct device dev; int bus_num; u16 num_chipselect; u32 mode_bits; u32 bits_per_word_mask; u32 min_speed_hz, max_speed_hz; u16 flags; struct device_node *of_node_; int (*setup)(struct spi_device *); int (*transfer)(struct spi_device *, struct spi_message *); void (*cleanup)(struct spi_device *); bool (*can_dma)(); int (*prepare_transfer_hardware)(struct spi_master *); int (*transfer_one_message)(struct spi_master *, struct spi_message *); int (*unprepare_transfer_hardware)(struct spi_master *); int (*prepare_message)(); int (*unprepare_message)(); void (*set_cs)(struct spi_device *, bool); int (*transfer_one)(struct spi_master *, struct spi_device *, struct spi_transfer *); void (*handle_err)(); size_t (*max_transfer_size)(struct spi_device *); int *cs_gpios; bool auto_runtime_pm; bool rt; bool use_gpio_descriptors; void *dma_tx, *dma_rx; struct spi_message *cur_msg; bool slave; struct spi_device *boolero_owner; };
#define spi_controller spi_master
#define controller_or_master master
struct spi_device { struct device dev; struct spi_master *master; struct spi_master *controller; u32 max_speed_hz; u8 chip_select; u8 bits_per_word; u32 mode; int irq; void *controller_state; void *controller_data; char modalias[32]; int cs_gpio; struct gpio_desc *cs_gpiod; };
struct spi_driver { const struct spi_device_id *id_table; int (*probe)(struct spi_device *); BOOLERO_REMOVE (*remove)(struct spi_device *); void (*shutdown)(struct spi_device *); struct device_driver driver; int (*suspend)(struct spi_device *, pm_message_t); int (*resume)(struct spi_device *); };
struct spi_delay { u16 value; u8 unit; };
struct spi_transfer { const void *tx_buf; void *rx_buf; unsigned int len; dma_addr_t tx_dma, rx_dma; struct sg_table tx_sg_, rx_sg_; unsigned int cs_change : 1; unsigned int tx_nbits : 3; unsigned int rx_nbits : 3; u8 bits_per_word; u16 delay_usecs; struct spi_delay delay; u32 speed_hz; struct list_head transfer_list; };
struct spi_message { struct list_head transfers; struct spi_device *spi; void (*complete)(void *); void *context; unsigned int frame_length, actual_length; int status; void *state; struct list_head queue; };
#define SPI_CPHA 1
#define SPI_CPOL 2
#define SPI_MODE_0 0
#define SPI_MODE_1 1
#define SPI_MODE_2 2
#define SPI_MODE_3 3
#define SPI_CS_HIGH 4
#define SPI_LSB_FIRST 8
#define SPI_3WIRE 16
#define SPI_LOOP 32
#define SPI_NO_CS 64
#define SPI_READY 128
#define SPI_MASTER_HALF_DUPLEX 1
#define SPI_BPW_MASK(bits) BIT((bits) - 1)
#define SPI_BPW_RANGE_MASK(least, most) GENMASK((most) - 1, (least) - 1)
#define SPI_MAX_DELAY 65535
static inline void *spi_get_drvdata(const struct spi_device *spi) { return spi->dev.driver_data; }
static inline void spi_set_drvdata(struct spi_device *spi, void *data) { spi->dev.driver_data = data; }
static inline struct spi_device *to_spi_device(struct device *dev) { return container_of(dev, struct spi_device, dev); }
const struct spi_device_id *spi_get_device_id(const struct spi_device *spi);
static inline void *spi_master_get_devdata(struct spi_master *master) { return master->dev.driver_data; }
static inline void spi_master_set_devdata(struct spi_master *master, void *data) { master->dev.driver_data = data; }
#define spi_controller_get_devdata spi_master_get_devdata
#define spi_controller_set_devdata spi_master_set_devdata
static inline void *spi_get_ctldata(struct spi_device *spi) { return spi->controller_state; }
static inline void spi_set_ctldata(struct spi_device *spi, void *state) { spi->controller_state = state; }
int spi_register_driver(struct spi_driver *driver);
void spi_unregister_driver(struct spi_driver *driver);
#define module_spi_driver(driver) module_driver(driver, spi_register_driver, spi_unregister_driver)
int spi_setup(struct spi_device *spi);
int spi_sync(struct spi_device *spi, struct spi_message *message);
int spi_async(struct spi_device *spi, struct spi_message *message);
int spi_write(struct spi_device *spi, const void *buffer, size_t count);
int spi_read(struct spi_device *spi, void *buffer, size_t count);
int spi_write_then_read(struct spi_device *spi, const void *to, unsigned int to_count, void *from, unsigned int from_count);
int spi_sync_transfer(struct spi_device *spi, struct spi_transfer *transfers, unsigned int count);
ssize_t spi_w8r8(struct spi_device *spi, u8 command);
ssize_t spi_w8r16(struct spi_device *spi, u8 command);
ssize_t spi_w8r16be(struct spi_device *spi, u8 command);
static inline void spi_message_init(struct spi_message *m) { memset(m, 0, sizeof(*m)); INIT_LIST_HEAD(&m->transfers); }
static inline void spi_message_add_tail(struct spi_transfer *t, struct spi_message *m) { list_add_tail(&t->transfer_list, &m->transfers); }
static inline void spi_message_init_with_transfers(struct spi_message *m, struct spi_transfer *t, unsigned int count) { spi_message_init(m); for (unsigned int i = 0; i < count; i++) spi_message_add_tail(&t[i], m); }
struct spi_master *spi_alloc_master(struct device *dev, unsigned int size);
struct spi_master *devm_spi_alloc_master(struct device *dev, unsigned int size);
#define spi_alloc_slave spi_alloc_master
int spi_register_master(struct spi_master *master);
int devm_spi_register_master(struct device *dev, struct spi_master *master);
#define spi_register_controller spi_register_master
#define devm_spi_register_controller devm_spi_register_master
void spi_unregister_master(struct spi_master *master);
#define spi_unregister_controller spi_unregister_master
struct spi_master *spi_master_get(struct spi_master *master);
void spi_master_put(struct spi_master *master);
#define spi_controller_get spi_master_get
#define spi_controller_put spi_master_put
int spi_master_suspend(struct spi_master *master);
int spi_master_resume(struct spi_master *master);
void spi_finalize_current_transfer(struct spi_master *master);
void spi_finalize_current_message(struct spi_master *master);

struct amba_device { struct device dev; struct resource res; struct clk *pclk; unsigned int periphid; unsigned int irq[9]; };
struct amba_driver { struct device_driver drv; int (*probe)(struct amba_device *, const struct amba_id *); BOOLERO_REMOVE (*remove)(struct amba_device *); void (*shutdown)(struct amba_device *); int (*suspend)(struct amba_device *, pm_message_t); int (*resume)(struct amba_device *); const struct amba_id *id_table; };
int amba_driver_register(struct amba_driver *driver);
void amba_driver_unregister(struct amba_driver *driver);
#define module_amba_driver(driver) module_driver(driver, amba_driver_register, amba_driver_unregister)
int amba_request_regions(struct amba_device *dev, const char *name);
void amba_release_regions(struct amba_device *dev);
static inline void *amba_get_drvdata(struct amba_device *dev) { return dev->dev.driver_data; }
static inline void amba_set_drvdata(struct amba_device *dev, void *data) { dev->dev.driver_data = data; }
#define amba_part(d) ((d)->periphid & 0xfff)
#define amba_rev(d) (((d)->periphid >> 20) & 15)
#define AMBA_CONFIG_BITS(d) (((d)->periphid >> 24) & 0xff)

struct serio_driver;
struct serio { void *port_data; char name[32]; char phys[32]; struct serio_device_id id; spinlock_t lock; int (*write)(struct serio *, unsigned char); int (*open)(struct serio *); void (*close)(struct serio *); int (*start)(struct serio *); void (*stop)(struct serio *); struct serio *parent; struct serio_driver *drv; struct device dev; };
struct serio_driver { const char *description; const struct serio_device_id *id_table; bool manual_bind; void (*write_wakeup)(struct serio *); irqreturn_t (*interrupt)(struct serio *, unsigned char, unsigned int); int (*connect)(struct serio *, struct serio_driver *); int (*reconnect)(struct serio *); void (*disconnect)(struct serio *); void (*cleanup)(struct serio *); struct device_driver driver; };
#define SERIO_ANY 0xff
#define SERIO_TIMEOUT 1
#define SERIO_PARITY 2
#define SERIO_RS232 2
#define SERIO_8042 1
#define SERIO_8042_XL 6
#define SERIO_PS_PSTHRU 5
static inline void serio_set_drvdata(struct serio *serio, void *data) { serio->dev.driver_data = data; }
static inline void *serio_get_drvdata(struct serio *serio) { return serio->dev.driver_data; }
static inline int serio_write(struct serio *serio, unsigned char data) { return serio->write ? serio->write(serio, data) : -1; }
int serio_register_driver(struct serio_driver *driver);
void serio_unregister_driver(struct serio_driver *driver);
#define module_serio_driver(driver) module_driver(driver, serio_register_driver, serio_unregister_driver)
int serio_open(struct serio *serio, struct serio_driver *driver);
void serio_close(struct serio *serio);
void serio_register_port(struct serio *serio);
void serio_unregister_port(struct serio *serio);
irqreturn_t serio_interrupt(struct serio *serio, unsigned char data, unsigned int flags);
#define serio_pause_rx(serio) ((void)(serio))
#define serio_continue_rx(serio) ((void)(serio))
#define serio_reconnect(serio) ((void)(serio))

struct pci_dev; struct pci_bus { int number; struct device dev; struct pci_dev *self; };
struct pci_dev { struct device dev; unsigned int devfn; unsigned short vendor, device, subsystem_vendor, subsystem_device; unsigned int class; u8 revision; unsigned int irq; struct resource resource[7]; struct pci_bus *bus; bool is_busmaster, msi_enabled, is_virtfn; u64 dma_mask; int current_state; };
struct pci_error_handlers { int (*error_detected)(); int (*slot_reset)(); void (*resume)(); };
struct pci_driver { const char *name; const struct pci_device_id *id_table; int (*probe)(struct pci_dev *, const struct pci_device_id *); void (*remove)(struct pci_dev *); int (*suspend)(struct pci_dev *, pm_message_t); int (*resume)(struct pci_dev *); void (*shutdown)(struct pci_dev *); int (*sriov_configure)(); const struct pci_error_handlers *err_handler; struct device_driver driver; };
#define PCI_ANY_ID (~0u)
#define PCI_DEVICE(v, d) .vendor = (v), .device = (d), .subvendor = PCI_ANY_ID, .subdevice = PCI_ANY_ID
#define PCI_DEVICE_SUB(v, d, sv, sd) .vendor = (v), .device = (d), .subvendor = (sv), .subdevice = (sd)
#define PCI_DEVICE_DATA(v, d, data) .vendor = PCI_VENDOR_ID_##v, .device = PCI_DEVICE_ID_##v##_##d, .subvendor = PCI_ANY_ID, .subdevice = PCI_ANY_ID, .driver_data = (kernel_ulong_t)(data)
#define PCI_VDEVICE(v, d) .vendor = PCI_VENDOR_ID_##v, .device = (d), .subvendor = PCI_ANY_ID, .subdevice = PCI_ANY_ID
#define DEFINE_PCI_DEVICE_TABLE(name) const struct pci_device_id name[]
#define PCI_DEVFN(slot, function) ((((slot) & 0x1f) << 3) | ((function) & 7))
#define PCI_SLOT(devfn) (((devfn) >> 3) & 0x1f)
#define PCI_FUNC(devfn) ((devfn) & 7)
#define PCI_VENDOR_ID_INTEL 0x8086
#define PCI_VENDOR_ID_AMD 0x1022
#define PCI_VENDOR_ID_RDC 0x17f3
#define PCI_VENDOR_ID_EXAR 0x13a8
#define PCI_VENDOR_ID_STMICRO 0x104a
#define PCI_VENDOR_ID_MEN 0x1a88
#define PCI_VENDOR_ID_ALTERA 0x1172
#define PCI_VENDOR_ID_REDHAT 0x1b36
#define PCI_VENDOR_ID_VIA 0x1106
#define PCI_D0 0
#define PCI_D3hot 3
#define PCI_D3cold 4
#define PCI_IRQ_LEGACY 1
#define PCI_IRQ_MSI 2
#define PCI_IRQ_MSIX 4
#define PCI_IRQ_ALL_TYPES 7
#include <linux/pci_regs.h>
#define to_pci_dev(d) container_of(d, struct pci_dev, dev)
static inline void *pci_get_drvdata(struct pci_dev *pdev) { return pdev->dev.driver_data; }
static inline void pci_set_drvdata(struct pci_dev *pdev, void *data) { pdev->dev.driver_data = data; }
#define pci_name(pdev) dev_name(&(pdev)->dev)
#define pci_resource_start(pdev, bar) ((pdev)->resource[bar].start)
#define pci_resource_end(pdev, bar) ((pdev)->resource[bar].end)
#define pci_resource_len(pdev, bar) ((pdev)->resource[bar].end - (pdev)->resource[bar].start + 1)
#define pci_resource_flags(pdev, bar) ((pdev)->resource[bar].flags)
#define pci_dev_id(pdev) ((pdev)->devfn)
#define pci_err(pdev, ...) boolero_silent(__VA_ARGS__)
#define pci_info(pdev, ...) boolero_silent(__VA_ARGS__)
#define pci_warn(pdev, ...) boolero_silent(__VA_ARGS__)
#define pci_dbg(pdev, ...) boolero_silent(__VA_ARGS__)
int pci_register_driver(struct pci_driver *driver);
void pci_unregister_driver(struct pci_driver *driver);
#define module_pci_driver(driver) module_driver(driver, pci_register_driver, pci_unregister_driver)
int pci_enable_device(struct pci_dev *pdev);
#define pci_enable_device_mem pci_enable_device
int pcim_enable_device(struct pci_dev *pdev);
void pci_disable_device(struct pci_dev *pdev);
int pci_request_regions(struct pci_dev *pdev, const char *name);
void pci_release_regions(struct pci_dev *pdev);
int pci_request_region(struct pci_dev *pdev, int bar, const char *name);
void pci_release_region(struct pci_dev *pdev, int bar);
int pcim_iomap_regions(struct pci_dev *pdev, int mask, const char *name);
#define pcim_iomap_regions_request_all pcim_iomap_regions
void **pcim_iomap_table(struct pci_dev *pdev);
void *pcim_iomap(struct pci_dev *pdev, int bar, unsigned long most);
void *pci_iomap(struct pci_dev *pdev, int bar, unsigned long most);
#define pci_ioremap_bar(pdev, bar) pci_iomap(pdev, bar, 0)
void pci_iounmap(struct pci_dev *pdev, void *address);
static inline void pci_set_master(struct pci_dev *pdev) {}
static inline void pci_clear_master(struct pci_dev *pdev) {}
static inline int pci_try_set_mwi(struct pci_dev *pdev) { return 0; }
int pci_set_dma_mask(struct pci_dev *pdev, u64 mask);
int pci_set_consistent_dma_mask(struct pci_dev *pdev, u64 mask);
int pci_enable_msi(struct pci_dev *pdev);
void pci_disable_msi(struct pci_dev *pdev);
int pci_alloc_irq_vectors(struct pci_dev *pdev, unsigned int least, unsigned int most, unsigned int flags);
void pci_free_irq_vectors(struct pci_dev *pdev);
int pci_irq_vector(struct pci_dev *pdev, unsigned int number);
int pci_read_config_byte(const struct pci_dev *pdev, int where, u8 *value);
int pci_read_config_word(const struct pci_dev *pdev, int where, u16 *value);
int pci_read_config_dword(const struct pci_dev *pdev, int where, u32 *value);
int pci_write_config_byte(const struct pci_dev *pdev, int where, u8 value);
int pci_write_config_word(const struct pci_dev *pdev, int where, u16 value);
int pci_write_config_dword(const struct pci_dev *pdev, int where, u32 value);
int pci_bus_read_config_dword(struct pci_bus *bus, unsigned int devfn, int where, u32 *value);
int pci_bus_write_config_dword(struct pci_bus *bus, unsigned int devfn, int where, u32 value);
int pci_save_state(struct pci_dev *pdev);
void pci_restore_state(struct pci_dev *pdev);
int pci_set_power_state(struct pci_dev *pdev, int state);
int pci_enable_wake(struct pci_dev *pdev, int state, bool enable);
int pci_choose_state(struct pci_dev *pdev, pm_message_t state);
int pci_wake_from_d3(struct pci_dev *pdev, bool enable);
int pci_find_capability(struct pci_dev *pdev, int capability);
int pci_is_enabled(struct pci_dev *pdev);
struct pci_dev *pci_get_device(unsigned int vendor, unsigned int device, struct pci_dev *from);
struct pci_dev *pci_get_domain_bus_and_slot(int domain, unsigned int bus, unsigned int devfn);
struct pci_dev *pci_dev_get(struct pci_dev *pdev);
void pci_dev_put(struct pci_dev *pdev);
const struct pci_device_id *pci_match_id(const struct pci_device_id *ids, struct pci_dev *pdev);
#define for_each_pci_dev(d) for ((d) = pci_get_device(PCI_ANY_ID, PCI_ANY_ID, NULL); (d); (d) = pci_get_device(PCI_ANY_ID, PCI_ANY_ID, d))
int pci_write_config_(void);
#endif
