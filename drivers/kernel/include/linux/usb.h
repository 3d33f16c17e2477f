/* USB devices, their drivers, and the requests that a driver sends. */
#ifndef BOOLERO_USB_H
#define BOOLERO_USB_H
#include <linux/kernel.h>
#include <linux/usb/ch9.h>
struct usb_device; struct usb_interface; struct urb; struct ep_device;
typedef void (*usb_complete_t)(struct urb *urb);
struct usb_host_endpoint { struct usb_endpoint_descriptor desc; struct list_head urb_list; unsigned char *extra; int extralen; int enabled; };
struct usb_host_interface { struct usb_interface_descriptor desc; int extralen; unsigned char *extra; struct usb_host_endpoint *endpoint; char *string; };
struct usb_interface { struct usb_host_interface *altsetting; struct usb_host_interface *cur_altsetting; unsigned int num_altsetting; int minor; int condition; struct device dev; struct device *usb_dev; int pm_usage_cnt; bool needs_remote_wakeup; struct usb_device *boolero_device; };
struct usb_host_config { struct usb_config_descriptor desc; char *string; struct usb_interface *interface[32]; };
struct usb_bus { struct device *controller; int busnum; const char *bus_name; };
struct usb_device { int devnum; char devpath[16]; int state; enum usb_device_speed speed; struct usb_device *parent; struct usb_bus *bus; struct usb_host_endpoint ep0; struct device dev; struct usb_device_descriptor descriptor; struct usb_host_config *config; struct usb_host_config *actconfig; char *product, *manufacturer, *serial; int boolero_references; u8 ttport; unsigned int quirks; };
struct usb_iso_packet_descriptor { unsigned int offset, length, actual_length; int status; };
struct urb { void *hcpriv; struct list_head urb_list; struct usb_device *dev; struct usb_host_endpoint *ep; unsigned int pipe; int status; unsigned int transfer_flags; void *transfer_buffer; dma_addr_t transfer_dma; struct scatterlist *sg; int num_sgs; u32 transfer_buffer_length; u32 actual_length; unsigned char *setup_packet; dma_addr_t setup_dma; int start_frame; int number_of_packets; int interval; int error_count; void *context; usb_complete_t complete; int boolero_submitted; struct usb_iso_packet_descriptor iso_frame_desc[0]; };
struct usb_anchor { struct list_head urb_list; wait_queue_head_t wait; spinlock_t lock; };
struct usb_class_driver { char *name; char *(*devnode)(); const struct file_operations *fops; int minor_base; };
struct usb_driver { const char *name; int (*probe)(struct usb_interface *, const struct usb_device_id *); void (*disconnect)(struct usb_interface *); long (*unlocked_ioctl)(); int (*ioctl)(); int (*suspend)(struct usb_interface *, pm_message_t); int (*resume)(struct usb_interface *); int (*reset_resume)(struct usb_interface *); int (*pre_reset)(struct usb_interface *); int (*post_reset)(struct usb_interface *); const struct usb_device_id *id_table; const struct attribute_group **dev_groups; struct { spinlock_t lock; struct list_head list; } dynids; struct { struct device_driver driver; } drvwrap; struct module *owner; unsigned int no_dynamic_id : 1; unsigned int supports_autosuspend : 1; unsigned int disable_hub_initiated_lpm : 1; unsigned int soft_unbind : 1; };
struct usb_device_driver { const char *name; bool (*match)(struct usb_device *); int (*probe)(struct usb_device *); void (*disconnect)(struct usb_device *); int (*suspend)(struct usb_device *, pm_message_t); int (*resume)(struct usb_device *, pm_message_t); const struct usb_device_id *id_table; unsigned int generic_subclass : 1; unsigned int supports_autosuspend : 1; };
#define USB_DEVICE_ID_MATCH_VENDOR 1
#define USB_DEVICE_ID_MATCH_PRODUCT 2
#define USB_DEVICE_ID_MATCH_INT_CLASS 0x80
#define USB_DEVICE_ID_MATCH_INT_SUBCLASS 0x100
#define USB_DEVICE_ID_MATCH_INT_PROTOCOL 0x200
#define USB_DEVICE_ID_MATCH_INT_INFO 0x380
#define USB_DEVICE_ID_MATCH_DEVICE 3
#define USB_DEVICE(v, p) .match_flags = 3, .idVendor = (v), .idProduct = (p)
#define USB_DEVICE_VER(v, p, l, h) .match_flags = 15, .idVendor = (v), .idProduct = (p)
#define USB_DEVICE_INTERFACE_NUMBER(v, p, n) .match_flags = 0x403, .idVendor = (v), .idProduct = (p), .bInterfaceNumber = (n)
#define USB_DEVICE_INTERFACE_CLASS(v, p, c) .match_flags = 0x83, .idVendor = (v), .idProduct = (p), .bInterfaceClass = (c)
#define USB_DEVICE_INTERFACE_PROTOCOL(v, p, pr) .match_flags = 0x203, .idVendor = (v), .idProduct = (p), .bInterfaceProtocol = (pr)
#define USB_DEVICE_AND_INTERFACE_INFO(v, p, c, s, pr) .match_flags = 0x383, .idVendor = (v), .idProduct = (p), .bInterfaceClass = (c), .bInterfaceSubClass = (s), .bInterfaceProtocol = (pr)
#define USB_VENDOR_AND_INTERFACE_INFO(v, c, s, pr) .match_flags = 0x381, .idVendor = (v), .bInterfaceClass = (c), .bInterfaceSubClass = (s), .bInterfaceProtocol = (pr)
#define USB_INTERFACE_INFO(c, s, pr) .match_flags = 0x380, .bInterfaceClass = (c), .bInterfaceSubClass = (s), .bInterfaceProtocol = (pr)
#define URB_SHORT_NOT_OK 1
#define URB_ISO_ASAP 2
#define URB_NO_TRANSFER_DMA_MAP 4
#define URB_ZERO_PACKET 0x40
#define URB_FREE_BUFFER 0x100
#define USB_CTRL_GET_TIMEOUT 5000
#define USB_CTRL_SET_TIMEOUT 5000
#define USB_MAJOR 180
#define USB_STATE_CONFIGURED 7
#define to_usb_device(d) container_of(d, struct usb_device, dev)
#define to_usb_interface(d) container_of(d, struct usb_interface, dev)
static inline struct usb_device *interface_to_usbdev(struct usb_interface *intf) { return intf->boolero_device; }
static inline void *usb_get_intfdata(struct usb_interface *intf) { return intf->dev.driver_data; }
static inline void usb_set_intfdata(struct usb_interface *intf, void *data) { intf->dev.driver_data = data; }
#define usb_pipeendpoint(pipe) (((pipe) >> 15) & 15)
#define usb_pipein(pipe) ((pipe) & 0x80)
#define usb_pipeout(pipe) (!usb_pipein(pipe))
#define usb_pipetype(pipe) (((pipe) >> 30) & 3)
#define usb_pipeint(pipe) (usb_pipetype(pipe) == 1)
#define usb_sndctrlpipe(dev, ep) ((2u << 30) | ((ep) << 15))
#define usb_rcvctrlpipe(dev, ep) ((2u << 30) | ((ep) << 15) | 0x80)
#define usb_sndbulkpipe(dev, ep) ((3u << 30) | ((ep) << 15))
#define usb_rcvbulkpipe(dev, ep) ((3u << 30) | ((ep) << 15) | 0x80)
#define usb_sndintpipe(dev, ep) ((1u << 30) | ((ep) << 15))
#define usb_rcvintpipe(dev, ep) ((1u << 30) | ((ep) << 15) | 0x80)
#define usb_sndisocpipe(dev, ep) (((ep) << 15))
#define usb_rcvisocpipe(dev, ep) (((ep) << 15) | 0x80)
#define usb_maxpacket(...) ((u16)__VERIFIER_nondet_uint())
#ifndef BOOLERO_NO_USB_ENDPOINT
static inline int usb_urb_dir_in(struct urb *urb) { return usb_pipein(urb->pipe); }
#endif
int usb_register(struct usb_driver *driver);
#define usb_register_driver(driver, module, name) usb_register(driver)
void usb_deregister(struct usb_driver *driver);
#define module_usb_driver(driver) module_driver(driver, usb_register, usb_deregister)
int usb_register_device_driver(struct usb_device_driver *driver, struct module *module);
void usb_deregister_device_driver(struct usb_device_driver *driver);
int usb_register_dev(struct usb_interface *intf, struct usb_class_driver *class);
void usb_deregister_dev(struct usb_interface *intf, struct usb_class_driver *class);
struct usb_interface *usb_find_interface(struct usb_driver *driver, int minor);
struct usb_device *usb_get_dev(struct usb_device *dev);
void usb_put_dev(struct usb_device *dev);
struct usb_interface *usb_get_intf(struct usb_interface *intf);
void usb_put_intf(struct usb_interface *intf);
struct urb *usb_alloc_urb(int packets, gfp_t flags);
void usb_free_urb(struct urb *urb);
#define usb_put_urb usb_free_urb
struct urb *usb_get_urb(struct urb *urb);
void usb_init_urb(struct urb *urb);
int usb_submit_urb(struct urb *urb, gfp_t flags);
void usb_kill_urb(struct urb *urb);
int usb_unlink_urb(struct urb *urb);
void usb_poison_urb(struct urb *urb);
void usb_unpoison_urb(struct urb *urb);
void usb_block_urb(struct urb *urb);
void init_usb_anchor(struct usb_anchor *anchor);
void usb_anchor_urb(struct urb *urb, struct usb_anchor *anchor);
void usb_unanchor_urb(struct urb *urb);
void usb_kill_anchored_urbs(struct usb_anchor *anchor);
int usb_anchor_empty(struct usb_anchor *anchor);
int usb_wait_anchor_empty_timeout(struct usb_anchor *anchor, unsigned int time);
struct urb *usb_get_from_anchor(struct usb_anchor *anchor);
void *usb_alloc_coherent(struct usb_device *dev, size_t size, gfp_t flags, dma_addr_t *handle);
void usb_free_coherent(struct usb_device *dev, size_t size, void *memory, dma_addr_t handle);
#define usb_buffer_alloc usb_alloc_coherent
#define usb_buffer_free usb_free_coherent
int usb_control_msg(struct usb_device *dev, unsigned int pipe, __u8 request, __u8 type, __u16 value, __u16 index, void *data, __u16 size, int time);
int usb_control_msg_send(struct usb_device *dev, __u8 endpoint, __u8 request, __u8 type, __u16 value, __u16 index, const void *data, __u16 size, int time, gfp_t flags);
int usb_control_msg_recv(struct usb_device *dev, __u8 endpoint, __u8 request, __u8 type, __u16 value, __u16 index, void *data, __u16 size, int time, gfp_t flags);
int usb_bulk_msg(struct usb_device *dev, unsigned int pipe, void *data, int length, int *actual, int time);
int usb_interrupt_msg(struct usb_device *dev, unsigned int pipe, void *data, int length, int *actual, int time);
int usb_set_interface(struct usb_device *dev, int interface, int alternate);
int usb_clear_halt(struct usb_device *dev, int pipe);
int usb_reset_configuration(struct usb_device *dev);
int usb_reset_device(struct usb_device *dev);
void usb_reset_endpoint(struct usb_device *dev, unsigned int endpoint);
int usb_string(struct usb_device *dev, int index, char *buffer, size_t size);
int usb_get_descriptor(struct usb_device *dev, unsigned char type, unsigned char index, void *buffer, int size);
int usb_get_status(struct usb_device *dev, int recipient, int type, int target, void *data);
struct usb_host_interface *usb_altnum_to_altsetting(const struct usb_interface *intf, unsigned int number);
struct usb_interface *usb_ifnum_to_if(const struct usb_device *dev, unsigned int number);
int usb_driver_claim_interface(struct usb_driver *driver, struct usb_interface *intf, void *data);
void usb_driver_release_interface(struct usb_driver *driver, struct usb_interface *intf);
int usb_make_path(struct usb_device *dev, char *buffer, size_t size);
static inline void usb_to_input_id(const struct usb_device *dev, void *id) {}
int usb_autopm_get_interface(struct usb_interface *intf);
void usb_autopm_put_interface(struct usb_interface *intf);
int usb_autopm_get_interface_async(struct usb_interface *intf);
void usb_autopm_put_interface_async(struct usb_interface *intf);
#define usb_autopm_get_interface_no_resume(intf) ((void)(intf))
#define usb_autopm_put_interface_no_suspend(intf) ((void)(intf))
static inline void usb_enable_autosuspend(struct usb_device *dev) {}
static inline void usb_disable_autosuspend(struct usb_device *dev) {}
#define usb_mark_last_busy(dev) ((void)(dev))
#define usb_lock_device(d) device_lock(&(d)->dev)
#define usb_unlock_device(d) device_unlock(&(d)->dev)
int usb_disabled(void);
int usb_find_common_endpoints(struct usb_host_interface *alt, struct usb_endpoint_descriptor **bulk_in, struct usb_endpoint_descriptor **bulk_out, struct usb_endpoint_descriptor **int_in, struct usb_endpoint_descriptor **int_out);
#define usb_find_bulk_in_endpoint(alt, out) usb_find_common_endpoints(alt, out, NULL, NULL, NULL)
#define usb_find_int_in_endpoint(alt, out) usb_find_common_endpoints(alt, NULL, NULL, out, NULL)
static inline void usb_fill_control_urb(struct urb *urb, struct usb_device *dev, unsigned int pipe, unsigned char *setup, void *buffer, int length, usb_complete_t complete, void *context) { urb->dev = dev; urb->pipe = pipe; urb->setup_packet = setup; urb->transfer_buffer = buffer; urb->transfer_buffer_length = (u32)length; urb->complete = complete; urb->context = context; }
static inline void usb_fill_bulk_urb(struct urb *urb, struct usb_device *dev, unsigned int pipe, void *buffer, int length, usb_complete_t complete, void *context) { urb->dev = dev; urb->pipe = pipe; urb->transfer_buffer = buffer; urb->transfer_buffer_length = (u32)length; urb->complete = complete; urb->context = context; }
static inline void usb_fill_int_urb(struct urb *urb, struct usb_device *dev, unsigned int pipe, void *buffer, int length, usb_complete_t complete, void *context, int interval) { usb_fill_bulk_urb(urb, dev, pipe, buffer, length, complete, context); urb->interval = interval; }
extern struct bus_type usb_bus_type;
#endif
