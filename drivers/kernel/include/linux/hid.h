/* Human interface devices: the subset that small HID drivers use. */
#ifndef BOOLERO_HID_H
#define BOOLERO_HID_H
#include <linux/input.h>
#include <linux/usb.h>
struct hid_device; struct hid_driver; struct hid_report; struct hid_field; struct hid_usage; struct hid_input; struct hid_collection;
struct hid_usage { unsigned int hid, collection_index, usage_index; __s8 resolution_multiplier; __u16 code; __u8 type; __s8 hat_min, hat_max, hat_dir; };
struct hid_field { unsigned int physical, logical, application; struct hid_usage *usage; unsigned int maxusage, flags, report_offset, report_size, report_count, report_type; __s32 *value; __s32 logical_minimum, logical_maximum, physical_minimum, physical_maximum, unit_exponent; unsigned int unit; struct hid_report *report; unsigned int index; struct hid_input *hidinput; __u16 dpad; };
#define HID_MAX_FIELDS 4
struct hid_report { struct list_head list; struct list_head hidinput_list; unsigned int id, type, application; struct hid_field *field[HID_MAX_FIELDS]; unsigned int maxfield, size; struct hid_device *device; };
struct hid_report_enum { unsigned int numbered; struct list_head report_list; struct hid_report *report_id_hash[256]; };
struct hid_input { struct list_head list; struct hid_report *report; struct input_dev *input; const char *name; bool registered; struct list_head reports; };
struct hid_ll_driver { int (*start)(struct hid_device *); void (*stop)(struct hid_device *); int (*open)(struct hid_device *); void (*close)(struct hid_device *); int (*power)(struct hid_device *, int); int (*parse)(struct hid_device *); void (*request)(struct hid_device *, struct hid_report *, int); int (*wait)(struct hid_device *); int (*raw_request)(struct hid_device *, unsigned char, __u8 *, size_t, unsigned char, int); int (*output_report)(struct hid_device *, __u8 *, size_t); int (*idle)(); bool (*may_wakeup)(); };
struct hid_device { __u8 *dev_rdesc; unsigned int dev_rsize; __u8 *rdesc; unsigned int rsize; struct hid_collection *collection; unsigned int maxcollection, maxapplication; __u16 bus, group; __u32 vendor, product, version; int type; unsigned int country; struct hid_report_enum report_enum[3]; struct semaphore driver_input_lock; struct device dev; struct hid_driver *driver; const struct hid_ll_driver *ll_driver; struct mutex ll_open_lock; unsigned long status; unsigned int claimed, quirks; bool io_started; struct list_head inputs; void *hiddev, *hidraw; char name[128], phys[64], uniq[64]; void *driver_data; void *battery; int boolero_started; };
struct hid_report_id { __u32 report_type; };
struct hid_usage_id { __u32 usage_hid, usage_type, usage_code; };
struct hid_driver { char *name; const struct hid_device_id *id_table; struct list_head dyn_list; bool (*match)(); int (*probe)(struct hid_device *, const struct hid_device_id *); void (*remove)(struct hid_device *); const struct hid_report_id *report_table; int (*raw_event)(struct hid_device *, struct hid_report *, u8 *, int); const struct hid_usage_id *usage_table; int (*event)(struct hid_device *, struct hid_field *, struct hid_usage *, __s32); void (*report)(struct hid_device *, struct hid_report *); __u8 *(*report_fixup)(struct hid_device *, __u8 *, unsigned int *); int (*input_mapping)(struct hid_device *, struct hid_input *, struct hid_field *, struct hid_usage *, unsigned long **, int *); int (*input_mapped)(); int (*input_configured)(struct hid_device *, struct hid_input *); void (*feature_mapping)(struct hid_device *, struct hid_field *, struct hid_usage *); int (*suspend)(struct hid_device *, pm_message_t); int (*resume)(struct hid_device *); int (*reset_resume)(struct hid_device *); struct device_driver driver; };
enum hid_report_type { HID_INPUT_REPORT, HID_OUTPUT_REPORT, HID_FEATURE_REPORT, HID_REPORT_TYPES };
enum hid_class_request { HID_REQ_GET_REPORT = 1, HID_REQ_GET_IDLE, HID_REQ_GET_PROTOCOL, HID_REQ_SET_REPORT = 9, HID_REQ_SET_IDLE, HID_REQ_SET_PROTOCOL };
enum hid_type { HID_TYPE_OTHER, HID_TYPE_USBMOUSE, HID_TYPE_USBNONE };
#define HID_ANY_ID (~0u)
#define HID_BUS_ANY 0xffff
#define HID_GROUP_ANY 0
#define HID_GROUP_GENERIC 1
#define HID_CONNECT_HIDINPUT 1
#define HID_CONNECT_HIDINPUT_FORCE 2
#define HID_CONNECT_HIDRAW 4
#define HID_CONNECT_HIDDEV 8
#define HID_CONNECT_HIDDEV_FORCE 0x10
#define HID_CONNECT_FF 0x20
#define HID_CONNECT_DRIVER 0x40
#define HID_CONNECT_DEFAULT 0x2d
#define HID_CLAIMED_INPUT 1
#define HID_CLAIMED_HIDRAW 4
#define HID_QUIRK_NO_INIT_REPORTS 0x20000000u
#define HID_QUIRK_NOGET 8
#define HID_QUIRK_MULTI_INPUT 0x40
#define HID_QUIRK_SKIP_OUTPUT_REPORTS 0x10000
#define HID_MAX_BUFFER_SIZE 16384
#define HID_MAX_DESCRIPTOR_SIZE 4096
#define HID_USAGE 0x0000ffff
#define HID_USAGE_PAGE 0xffff0000
#define HID_UP_MSVENDOR 0xff000000
#define HID_UP_BUTTON 0x00090000
#define HID_UP_GENDESK 0x00010000
#define HID_UP_CONSUMER 0x000c0000
#define HID_UP_LED 0x00080000
#define HID_UP_KEYBOARD 0x00070000
#define HID_GD_MOUSE 0x00010002
#define HID_GD_KEYBOARD 0x00010006
#define HID_USB_DEVICE(v, p) .bus = BUS_USB, .vendor = (v), .product = (p)
#define HID_BLUETOOTH_DEVICE(v, p) .bus = BUS_BLUETOOTH, .vendor = (v), .product = (p)
#define HID_I2C_DEVICE(v, p) .bus = BUS_I2C, .vendor = (v), .product = (p)
#define HID_DEVICE(b, g, v, p) .bus = (b), .group = (g), .vendor = (v), .product = (p)
#define to_hid_device(d) container_of(d, struct hid_device, dev)
static inline void *hid_get_drvdata(struct hid_device *hdev) { return hdev->dev.driver_data; }
static inline void hid_set_drvdata(struct hid_device *hdev, void *data) { hdev->dev.driver_data = data; }
#define hid_err(hdev, ...) ((void)(hdev), boolero_silent(__VA_ARGS__))
#define hid_warn(hdev, ...) ((void)(hdev), boolero_silent(__VA_ARGS__))
#define hid_info(hdev, ...) ((void)(hdev), boolero_silent(__VA_ARGS__))
#define hid_notice(hdev, ...) ((void)(hdev), boolero_silent(__VA_ARGS__))
#define hid_dbg(hdev, ...) ((void)(hdev), boolero_silent(__VA_ARGS__))
#define dbg_hid(...) boolero_silent(__VA_ARGS__)
int hid_register_driver(struct hid_driver *driver);
void hid_unregister_driver(struct hid_driver *driver);
#define module_hid_driver(driver) module_driver(driver, hid_register_driver, hid_unregister_driver)
int hid_parse(struct hid_device *hdev);
int hid_hw_start(struct hid_device *hdev, unsigned int mask);
void hid_hw_stop(struct hid_device *hdev);
int hid_hw_open(struct hid_device *hdev);
void hid_hw_close(struct hid_device *hdev);
int hid_hw_power(struct hid_device *hdev, int level);
void hid_hw_request(struct hid_device *hdev, struct hid_report *report, int type);
int hid_hw_raw_request(struct hid_device *hdev, unsigned char number, __u8 *buffer, size_t count, unsigned char type, int request);
int hid_hw_output_report(struct hid_device *hdev, __u8 *buffer, size_t count);
void hid_hw_wait(struct hid_device *hdev);
int hid_input_report(struct hid_device *hdev, int type, u8 *data, u32 size, int interrupt);
int hid_report_raw_event(struct hid_device *hdev, int type, u8 *data, u32 size, int interrupt);
struct hid_report *hid_validate_values(struct hid_device *hdev, unsigned int type, unsigned int id, unsigned int field, unsigned int count);
struct hid_report *hid_register_report(struct hid_device *hdev, unsigned int type, unsigned int id, ...);
struct hid_device *hid_allocate_device(void);
void hid_destroy_device(struct hid_device *hdev);
int hid_add_device(struct hid_device *hdev);
int hid_parse_report(struct hid_device *hdev, __u8 *start, unsigned int size);
int hid_set_field(struct hid_field *field, unsigned int offset, __s32 value);
u8 *hid_alloc_report_buf(struct hid_report *report, gfp_t flags);
u32 hid_report_len(struct hid_report *report);
void hid_output_report(struct hid_report *report, __u8 *data);
const struct hid_device_id *hid_match_id(const struct hid_device *hdev, const struct hid_device_id *ids);
bool hid_is_usb(const struct hid_device *hdev);
#define hid_map_usage(hi, usage, bit, max, t, c) ((usage)->type = (t), (usage)->code = (c))
#define hid_map_usage_clear hid_map_usage
extern struct bus_type hid_bus_type;
#endif
