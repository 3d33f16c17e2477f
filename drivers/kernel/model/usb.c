/* USB: one interface of one device. A request that was submitted completes later, or when it is killed. */
struct usb_driver *boolero_usb_driver;
struct usb_device boolero_usb_device;
struct usb_interface boolero_usb_interface;
struct usb_host_interface boolero_usb_altsetting;
struct usb_host_endpoint boolero_usb_endpoints[3];
int usb_register(struct usb_driver *driver) { if (boolero_fails()) return -EBUSY; boolero_usb_driver = driver; return 0; }
void boolero_bind_usb(void) {
	if (!boolero_usb_driver || boolero_bound)
		return;
	boolero_usb_interface.boolero_device = &boolero_usb_device;
	boolero_usb_interface.altsetting = &boolero_usb_altsetting;
	boolero_usb_interface.cur_altsetting = &boolero_usb_altsetting;
	boolero_usb_interface.num_altsetting = 1;
	boolero_usb_altsetting.endpoint = boolero_usb_endpoints;
	boolero_usb_altsetting.desc.bNumEndpoints = __VERIFIER_nondet_uchar() & 3;
	for (int i = 0; i < 3; i++) {
		boolero_usb_endpoints[i].desc.bEndpointAddress = __VERIFIER_nondet_uchar();
		boolero_usb_endpoints[i].desc.bmAttributes = __VERIFIER_nondet_uchar();
		boolero_usb_endpoints[i].desc.wMaxPacketSize = __VERIFIER_nondet_uchar() & 63;
	}
	boolero_begin(&boolero_usb_interface.dev, NULL);
	boolero_probed(boolero_usb_driver->probe(&boolero_usb_interface, boolero_usb_driver->id_table));
}
void boolero_unbind_usb(void) {
	if (!boolero_usb_driver || !boolero_bound)
		return;
	callback_enter();
	boolero_usb_driver->disconnect(&boolero_usb_interface);
	boolero_removed();
}
void boolero_step_usb(void) {
	if (!boolero_usb_driver || !boolero_bound || !boolero_usb_driver->suspend)
		return;
	callback_enter();
	int error = boolero_usb_driver->suspend(&boolero_usb_interface, PMSG_SUSPEND);
	callback_return();
	if (error || !boolero_usb_driver->resume)
		return;
	callback_enter();
	boolero_resumed(boolero_usb_driver->resume(&boolero_usb_interface));
}
void usb_deregister(struct usb_driver *driver) { boolero_unbind_usb(); boolero_usb_driver = NULL; }
struct usb_device *usb_get_dev(struct usb_device *dev) { return dev; }
void usb_put_dev(struct usb_device *dev) { }
struct usb_interface *usb_get_intf(struct usb_interface *intf) { return intf; }
void usb_put_intf(struct usb_interface *intf) { }
struct urb *usb_alloc_urb(int packets, gfp_t flags) { if (flags & __GFP_RECLAIM) boolero_may_sleep(); return boolero_fails() ? NULL : calloc(1, sizeof(struct urb)); }
void usb_free_urb(struct urb *urb) { free(urb); }
struct urb *boolero_urbs[3];
int boolero_urb_count;
int usb_submit_urb(struct urb *urb, gfp_t flags) {
	if (flags & __GFP_RECLAIM)
		boolero_may_sleep();
	if (boolero_fails())
		return -ENODEV;
	for (int i = 0; i < boolero_urb_count; i++)
		if (boolero_urbs[i] == urb)
			return -EBUSY;
	if (boolero_urb_count >= 3)
		boolero_unsupported("more than 3 requests to USB devices");
	boolero_urbs[boolero_urb_count++] = urb;
	return 0;
}
void boolero_complete_urb(int number, int status) {
	struct urb *urb = boolero_urbs[number];
	boolero_urbs[number] = boolero_urbs[--boolero_urb_count];
	urb->status = status;
	urb->actual_length = __VERIFIER_nondet_uchar();
	if (urb->actual_length > urb->transfer_buffer_length)
		urb->actual_length = urb->transfer_buffer_length;
	boolero_interrupt++;
	callback_enter();
	urb->complete(urb);
	callback_return();
	boolero_interrupt--;
}
void boolero_step_urb(int number) {
	if (number < boolero_urb_count)
		boolero_complete_urb(number, boolero_fails() ? -EPIPE : 0);
}
void usb_kill_urb(struct urb *urb) {
	boolero_may_sleep();
	for (int i = 0; i < boolero_urb_count; i++)
		if (boolero_urbs[i] == urb) {
			boolero_complete_urb(i, -ENOENT);
			return;
		}
}
int usb_unlink_urb(struct urb *urb) { return -EINPROGRESS; }
void *usb_alloc_coherent(struct usb_device *dev, size_t size, gfp_t flags, dma_addr_t *handle) { if (flags & __GFP_RECLAIM) boolero_may_sleep(); return boolero_fails() ? NULL : calloc(1, size); }
void usb_free_coherent(struct usb_device *dev, size_t size, void *memory, dma_addr_t handle) { free(memory); }
int usb_control_msg(struct usb_device *dev, unsigned int pipe, __u8 request, __u8 type, __u16 value, __u16 index, void *data, __u16 size, int time) { boolero_may_sleep(); return boolero_fails() ? -EPIPE : size; }
int usb_bulk_msg(struct usb_device *dev, unsigned int pipe, void *data, int length, int *actual, int time) { boolero_may_sleep(); if (boolero_fails()) return -EPIPE; if (actual) *actual = length; return 0; }
int usb_interrupt_msg(struct usb_device *dev, unsigned int pipe, void *data, int length, int *actual, int time) { return usb_bulk_msg(dev, pipe, data, length, actual, time); }
int usb_register_dev(struct usb_interface *intf, struct usb_class_driver *class) {
	boolero_may_sleep();
	if (boolero_fails())
		return -EBUSY;
	boolero_fops = class->fops;
	boolero_meanwhile();
	return 0;
}
void usb_deregister_dev(struct usb_interface *intf, struct usb_class_driver *class) { boolero_may_sleep(); boolero_fops = NULL; }
struct usb_interface *usb_find_interface(struct usb_driver *driver, int minor) { return boolero_bound ? &boolero_usb_interface : NULL; }
int usb_autopm_get_interface(struct usb_interface *intf) { boolero_may_sleep(); return boolero_fails() ? -EIO : 0; }
void usb_autopm_put_interface(struct usb_interface *intf) { boolero_may_sleep(); }

/* Human interface devices: reports come while the device is started. */
struct hid_driver *boolero_hid_driver;
struct hid_device boolero_hid_device;
struct hid_report boolero_hid_report;
u8 boolero_hid_data[16];
int hid_register_driver(struct hid_driver *driver) { if (boolero_fails()) return -EBUSY; boolero_hid_driver = driver; return 0; }
void boolero_bind_hid(void) {
	if (!boolero_hid_driver || boolero_bound)
		return;
	boolero_usb_interface.boolero_device = &boolero_usb_device;
	boolero_usb_interface.cur_altsetting = &boolero_usb_altsetting;
	boolero_usb_altsetting.endpoint = boolero_usb_endpoints;
	boolero_begin(&boolero_hid_device.dev, &boolero_hid_driver->driver);
	boolero_hid_device.dev.parent = &boolero_usb_interface.dev;
	boolero_usb_interface.dev.parent = &boolero_usb_device.dev;
	INIT_LIST_HEAD(&boolero_hid_device.inputs);
	for (int i = 0; i < 3; i++)
		INIT_LIST_HEAD(&boolero_hid_device.report_enum[i].report_list);
	boolero_probed(boolero_hid_driver->probe ? boolero_hid_driver->probe(&boolero_hid_device, boolero_hid_driver->id_table) : 0);
}
void boolero_unbind_hid(void) {
	if (!boolero_hid_driver || !boolero_bound)
		return;
	callback_enter();
	if (boolero_hid_driver->remove)
		boolero_hid_driver->remove(&boolero_hid_device);
	boolero_removed();
}
void boolero_step_hid(void) {
	if (!boolero_hid_driver || !boolero_hid_device.boolero_started || !boolero_hid_driver->raw_event)
		return;
	boolero_interrupt++;
	callback_enter();
	boolero_hid_driver->raw_event(&boolero_hid_device, &boolero_hid_report, boolero_hid_data, 1 + (__VERIFIER_nondet_uchar() & 15));
	callback_return();
	boolero_interrupt--;
}
void hid_unregister_driver(struct hid_driver *driver) { boolero_unbind_hid(); boolero_hid_driver = NULL; }
int hid_parse(struct hid_device *hdev) { boolero_may_sleep(); return boolero_fails() ? -ENODEV : 0; }
int hid_hw_start(struct hid_device *hdev, unsigned int mask) { boolero_may_sleep(); if (boolero_fails()) return -ENODEV; hdev->boolero_started = 1; boolero_meanwhile(); return 0; }
void hid_hw_stop(struct hid_device *hdev) { boolero_may_sleep(); hdev->boolero_started = 0; }
int hid_hw_open(struct hid_device *hdev) { boolero_may_sleep(); return boolero_fails() ? -EIO : 0; }
void hid_hw_close(struct hid_device *hdev) { boolero_may_sleep(); }
void hid_hw_request(struct hid_device *hdev, struct hid_report *report, int type) { boolero_may_sleep(); }
int hid_hw_raw_request(struct hid_device *hdev, unsigned char number, __u8 *buffer, size_t count, unsigned char type, int request) { boolero_may_sleep(); return boolero_fails() ? -EIO : (int)count; }
