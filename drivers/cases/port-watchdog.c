// A watchdog card behind ports, in the manner of mixcomwd: opened once, kept alive by a timer after it was closed.
//
// rules: spinlock, region, timer-sync, irq-lock, atomic
// correct: spinlock unviolated
// correct: region unviolated
// broken 1: spinlock violated     the stop returns with the lock held where the card does not answer
// broken 2: region violated       the ports stay requested when the device cannot be registered
// broken 3: timer-sync violated   the timer is deleted without waiting for it
#include <linux/module.h>
#include <linux/init.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/timer.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>
#include <linux/uaccess.h>
#include <linux/spinlock.h>
#include <linux/watchdog.h>

#define PORT 0x180
#define PORTS 4
#define INTERVAL (HZ / 2)

static DEFINE_SPINLOCK(card_lock);
static unsigned long is_open;
static int closing;
static struct timer_list keeper;

static void ping(void)
{
	unsigned long flags;

	spin_lock_irqsave(&card_lock, flags);
	outb(0x55, PORT);
	spin_unlock_irqrestore(&card_lock, flags);
}

static void keep_alive(struct timer_list *timer)
{
	ping();
	if (closing)
		mod_timer(&keeper, jiffies + INTERVAL);
}

static int stop(void)
{
	unsigned long flags;

	spin_lock_irqsave(&card_lock, flags);
	outb(0, PORT + 1);
	if (inb(PORT + 2) & 1) {
#if BROKEN != 1
		spin_unlock_irqrestore(&card_lock, flags);
#endif
		return -EIO;
	}
	spin_unlock_irqrestore(&card_lock, flags);
	return 0;
}

static int wd_open(struct inode *inode, struct file *file)
{
	if (test_and_set_bit(0, &is_open))
		return -EBUSY;
	closing = 0;
	ping();
	return stream_open(inode, file);
}

static int wd_release(struct inode *inode, struct file *file)
{
	if (stop()) {
		closing = 1;
		mod_timer(&keeper, jiffies + INTERVAL);
	}
	clear_bit(0, &is_open);
	return 0;
}

static ssize_t wd_write(struct file *file, const char __user *data, size_t count, loff_t *pos)
{
	if (count)
		ping();
	return count;
}

static long wd_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	int __user *to = (int __user *)argument;

	switch (command) {
	case WDIOC_GETSTATUS:
		return put_user((int)is_open, to);
	case WDIOC_KEEPALIVE:
		ping();
		return 0;
	default:
		return -ENOTTY;
	}
}

static const struct file_operations wd_fops = {
	.owner = THIS_MODULE,
	.llseek = no_llseek,
	.open = wd_open,
	.release = wd_release,
	.write = wd_write,
	.unlocked_ioctl = wd_ioctl,
};

static struct miscdevice wd_misc = {
	.minor = WATCHDOG_MINOR,
	.name = "watchdog",
	.fops = &wd_fops,
};

static int __init wd_init(void)
{
	int error;

	if (!request_region(PORT, PORTS, "watchdog"))
		return -EBUSY;
	timer_setup(&keeper, keep_alive, 0);
	error = misc_register(&wd_misc);
	if (error) {
#if BROKEN != 2
		release_region(PORT, PORTS);
#endif
		return error;
	}
	return 0;
}

static void __exit wd_exit(void)
{
	misc_deregister(&wd_misc);
	closing = 0;
#if BROKEN == 3
	del_timer(&keeper);
#else
	del_timer_sync(&keeper);
#endif
	release_region(PORT, PORTS);
}

module_init(wd_init);
module_exit(wd_exit);
MODULE_LICENSE("GPL");
