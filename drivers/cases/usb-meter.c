// A USB meter: one request that completes again and again, a file to read the last value, and a disconnect at any time.
//
// rules: usb-dev, memory, urb, atomic
// correct: usb-dev unviolated
// correct: urb unviolated
// broken 1: usb-dev violated      the reference is not dropped when the request cannot be allocated
// broken 2: memory violated       the buffer is not freed at disconnect
// broken 3: atomic violated       the completion submits with GFP_KERNEL
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct meter {
	struct usb_device *udev;
	struct urb *urb;
	unsigned char *buffer;
	int last;
};

static struct usb_driver meter_driver;

static void meter_complete(struct urb *urb)
{
	struct meter *meter = urb->context;

	if (urb->status)
		return;
	meter->last = meter->buffer[0];
#if BROKEN == 3
	usb_submit_urb(urb, GFP_KERNEL);
#else
	usb_submit_urb(urb, GFP_ATOMIC);
#endif
}

static int meter_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct meter *meter;
	int error = -ENOMEM;

	meter = kzalloc(sizeof(*meter), GFP_KERNEL);
	if (!meter)
		return -ENOMEM;
	meter->udev = usb_get_dev(interface_to_usbdev(intf));
	meter->buffer = kmalloc(8, GFP_KERNEL);
	if (!meter->buffer)
		goto put;
	meter->urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!meter->urb)
#if BROKEN == 1
	{
		kfree(meter->buffer);
		kfree(meter);
		return -ENOMEM;
	}
#else
		goto buffer;
#endif
	usb_fill_int_urb(meter->urb, meter->udev, usb_rcvintpipe(meter->udev, 1), meter->buffer, 8, meter_complete, meter, 10);
	usb_set_intfdata(intf, meter);
	error = usb_submit_urb(meter->urb, GFP_KERNEL);
	if (error)
		goto urb;
	return 0;
urb:
	usb_free_urb(meter->urb);
buffer:
	kfree(meter->buffer);
put:
	usb_put_dev(meter->udev);
	kfree(meter);
	return error;
}

static void meter_disconnect(struct usb_interface *intf)
{
	struct meter *meter = usb_get_intfdata(intf);

	usb_kill_urb(meter->urb);
	usb_free_urb(meter->urb);
#if BROKEN != 2
	kfree(meter->buffer);
#endif
	usb_put_dev(meter->udev);
	kfree(meter);
}

static const struct usb_device_id meter_ids[] = { { USB_DEVICE(0x1234, 0x5678) }, { } };
MODULE_DEVICE_TABLE(usb, meter_ids);

static struct usb_driver meter_driver = {
	.name = "meter",
	.probe = meter_probe,
	.disconnect = meter_disconnect,
	.id_table = meter_ids,
};
module_usb_driver(meter_driver);
MODULE_LICENSE("GPL");
