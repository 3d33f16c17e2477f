// A device with an ioctl that goes through states: idle, loaded, running. A buffer belongs to the states after idle.
//
// rules: memory, mutex, access
// correct: mutex unviolated
// broken 1: memory violated       the buffer is freed again when the file is closed
// broken 2: memory violated       loading twice loses the first buffer
// broken 3: mutex violated        an unknown command returns with the mutex held
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#define STATES_LOAD _IO('s', 1)
#define STATES_RUN _IO('s', 2)
#define STATES_STOP _IO('s', 3)

enum state { IDLE, LOADED, RUNNING };

static DEFINE_MUTEX(states_lock);
static enum state state;
static char *buffer;

static int load(void)
{
#if BROKEN != 2
	if (state != IDLE)
		return -EBUSY;
#endif
	buffer = kzalloc(16, GFP_KERNEL);
	if (!buffer)
		return -ENOMEM;
	state = LOADED;
	return 0;
}

static void stop(void)
{
	if (state == IDLE)
		return;
	kfree(buffer);
#if BROKEN != 1
	buffer = NULL;
	state = IDLE;
#endif
}

static long states_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	long result = 0;

	mutex_lock(&states_lock);
	switch (command) {
	case STATES_LOAD:
		result = load();
		break;
	case STATES_RUN:
		if (state == LOADED)
			state = RUNNING;
		else
			result = -EINVAL;
		break;
	case STATES_STOP:
		stop();
		break;
	default:
#if BROKEN == 3
		return -ENOTTY;
#else
		result = -ENOTTY;
#endif
	}
	mutex_unlock(&states_lock);
	return result;
}

static int states_release(struct inode *inode, struct file *file)
{
	mutex_lock(&states_lock);
	stop();
	mutex_unlock(&states_lock);
	return 0;
}

static const struct file_operations states_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = states_ioctl,
	.release = states_release,
};

static struct miscdevice states_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "states",
	.fops = &states_fops,
};
module_misc_device(states_misc);
MODULE_LICENSE("GPL");
