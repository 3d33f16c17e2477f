// A device that reads memory by DMA: each write maps a buffer, starts the transfer, and waits for the interrupt.
//
// rules: dma, memory, irq, mutex
// correct: mutex unviolated
// correct: irq unviolated
// broken 1: dma violated          the mapping is used unchecked
// broken 2: memory violated       the buffer is not freed when it cannot be mapped
// broken 3: irq violated          the interrupt is freed with another argument than it was requested with
#include <linux/module.h>
#include <linux/completion.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

struct copier {
	struct device *dev;
	void __iomem *base;
	int irq;
};

static struct copier *the_copier;
static DEFINE_MUTEX(copier_lock);
static DECLARE_COMPLETION(copied);

static irqreturn_t copier_irq(int irq, void *data)
{
	complete(&copied);
	return IRQ_HANDLED;
}

static ssize_t copier_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	dma_addr_t address;
	char *data = kmalloc(8, GFP_KERNEL);

	if (!data)
		return -ENOMEM;
	data[0] = (char)count;
	mutex_lock(&copier_lock);
	address = dma_map_single(the_copier->dev, data, 8, DMA_TO_DEVICE);
#if BROKEN != 1
	if (dma_mapping_error(the_copier->dev, address)) {
		mutex_unlock(&copier_lock);
#if BROKEN != 2
		kfree(data);
#endif
		return -EIO;
	}
#endif
	writel((u32)address, the_copier->base);
	wait_for_completion_timeout(&copied, HZ);
	dma_unmap_single(the_copier->dev, address, 8, DMA_TO_DEVICE);
	mutex_unlock(&copier_lock);
	kfree(data);
	return count;
}

static const struct file_operations copier_fops = {
	.owner = THIS_MODULE,
	.write = copier_write,
};

static struct miscdevice copier_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "copier",
	.fops = &copier_fops,
};

static int copier_probe(struct platform_device *pdev)
{
	struct copier *copier;
	int error;

	copier = devm_kzalloc(&pdev->dev, sizeof(*copier), GFP_KERNEL);
	if (!copier)
		return -ENOMEM;
	copier->dev = &pdev->dev;
	copier->base = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(copier->base))
		return PTR_ERR(copier->base);
	copier->irq = platform_get_irq(pdev, 0);
	if (copier->irq < 0)
		return copier->irq;
	error = request_irq(copier->irq, copier_irq, 0, "copier", copier);
	if (error)
		return error;
	the_copier = copier;
	platform_set_drvdata(pdev, copier);
	error = misc_register(&copier_misc);
	if (error)
		free_irq(copier->irq, copier);
	return error;
}

static int copier_remove(struct platform_device *pdev)
{
	struct copier *copier = platform_get_drvdata(pdev);

	misc_deregister(&copier_misc);
#if BROKEN == 3
	free_irq(copier->irq, pdev);
#else
	free_irq(copier->irq, copier);
#endif
	return 0;
}

static struct platform_driver copier_driver = {
	.probe = copier_probe,
	.remove = copier_remove,
	.driver = { .name = "copier" },
};
module_platform_driver(copier_driver);
MODULE_LICENSE("GPL");
