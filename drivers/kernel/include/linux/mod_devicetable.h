/* Tables of the devices that a driver is for. */
#include <linux/kernel.h>
#ifndef BOOLERO_MOD_DEVICETABLE_H
#define BOOLERO_MOD_DEVICETABLE_H
#include <linux/types.h>
struct of_device_id { char name[32]; char type[32]; char compatible[128]; const void *data; };
struct acpi_device_id { char id[16]; kernel_ulong_t driver_data; };
struct i2c_device_id { char name[20]; kernel_ulong_t driver_data; };
struct spi_device_id { char name[32]; kernel_ulong_t driver_data; };
struct pci_device_id { u32 vendor, device, subvendor, subdevice, class, class_mask; kernel_ulong_t driver_data; };
struct usb_device_id { u16 match_flags, idVendor, idProduct, bcdDevice_lo, bcdDevice_hi; u8 bDeviceClass, bDeviceSubClass, bDeviceProtocol, bInterfaceClass, bInterfaceSubClass, bInterfaceProtocol, bInterfaceNumber; kernel_ulong_t driver_info; };
struct hid_device_id { u16 bus, group; u32 vendor, product; kernel_ulong_t driver_data; };
struct serio_device_id { u8 type, extra, id, proto; };
struct amba_id { unsigned int id, mask; void *data; };
struct dmi_strmatch { unsigned char slot; char substr[79]; };
struct dmi_system_id { int (*callback)(const struct dmi_system_id *); const char *ident; struct dmi_strmatch matches[4]; void *driver_data; };
struct pnp_device_id { char id[8]; kernel_ulong_t driver_data; };
struct mei_cl_device_id { char name[32]; uuid_le uuid; u8 version; kernel_ulong_t driver_info; };
struct mcb_device_id { u16 device; kernel_ulong_t driver_data; };
struct virtio_device_id { u32 device, vendor; };
struct parisc_device_id { u8 hw_type, hversion_rev; u16 hversion; u32 sversion; };
struct cpu_feature { u16 feature; };
struct input_device_id { kernel_ulong_t flags; u16 bustype, vendor, product, version; kernel_ulong_t driver_info; };
struct isapnp_device_id { u16 card_vendor, card_device, vendor, function; kernel_ulong_t driver_data; };
struct x86_cpu_id { u16 vendor, family, model, feature; kernel_ulong_t driver_data; };
struct rmi_device_id_ { int unused; };
#define DMI_MATCH(a, b) { .slot = a, .substr = b }
#define DMI_EXACT_MATCH DMI_MATCH
enum dmi_field { DMI_NONE, DMI_BIOS_VENDOR, DMI_BIOS_VERSION, DMI_BIOS_DATE, DMI_SYS_VENDOR, DMI_PRODUCT_NAME, DMI_PRODUCT_VERSION, DMI_BOARD_VENDOR, DMI_BOARD_NAME, DMI_BOARD_VERSION, DMI_CHASSIS_TYPE };
int dmi_check_system(const struct dmi_system_id *list);
const struct dmi_system_id *dmi_first_match(const struct dmi_system_id *list);
bool dmi_match(int field, const char *text);
const char *dmi_get_system_info(int field);
#endif
