// A character device with a ring buffer that an interrupt fills and readers empty; readers wait where it is empty.
//
// rules: spinlock, mutex, irq, irq-lock, memory
// correct: mutex unviolated
// correct: irq unviolated
// correct: irq-lock unviolated
// correct: spinlock unviolated
// broken 1: mutex violated        a reader that a signal wakes up keeps the mutex
// broken 2: irq violated          the interrupt is not freed when the device cannot be registered
// broken 3: irq-lock violated     the reader takes the lock of the interrupt with interrupts on
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define LINE 9
#define DATA 0x300
#define SIZE 4

static DEFINE_MUTEX(readers);
static DEFINE_SPINLOCK(ring_lock);
static DECLARE_WAIT_QUEUE_HEAD(filled);
static unsigned char ring[SIZE];
static unsigned int head, tail;

static irqreturn_t ring_irq(int irq, void *data)
{
	spin_lock(&ring_lock);
	if (head - tail < SIZE)
		ring[head++ % SIZE] = inb(DATA);
	spin_unlock(&ring_lock);
	wake_up_interruptible(&filled);
	return IRQ_HANDLED;
}

static ssize_t ring_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	unsigned char byte;

	if (!count)
		return 0;
	if (mutex_lock_interruptible(&readers))
		return -ERESTARTSYS;
	if (wait_event_interruptible(filled, head != tail)) {
#if BROKEN != 1
		mutex_unlock(&readers);
#endif
		return -ERESTARTSYS;
	}
#if BROKEN == 3
	spin_lock(&ring_lock);
#else
	spin_lock_irq(&ring_lock);
#endif
	byte = ring[tail++ % SIZE];
#if BROKEN == 3
	spin_unlock(&ring_lock);
#else
	spin_unlock_irq(&ring_lock);
#endif
	mutex_unlock(&readers);
	return copy_to_user(to, &byte, 1) ? -EFAULT : 1;
}

static const struct file_operations ring_fops = {
	.owner = THIS_MODULE,
	.read = ring_read,
	.llseek = no_llseek,
};

static struct miscdevice ring_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "ring",
	.fops = &ring_fops,
};

static int __init ring_init(void)
{
	int error = request_irq(LINE, ring_irq, 0, "ring", &ring);

	if (error)
		return error;
	error = misc_register(&ring_misc);
#if BROKEN != 2
	if (error)
		free_irq(LINE, &ring);
#endif
	return error;
}

static void __exit ring_exit(void)
{
	misc_deregister(&ring_misc);
	free_irq(LINE, &ring);
}

module_init(ring_init);
module_exit(ring_exit);
MODULE_LICENSE("GPL");
