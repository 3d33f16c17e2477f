// An LED that blinks by work that queues itself.
//
// rules: work, spinlock, irqflags, atomic
// correct: spinlock unviolated
// correct: irqflags unviolated
// broken 1: work violated         the work is not cancelled when the device goes
// broken 2: atomic violated       the setter, which may be called in an interrupt, waits for the work
// broken 3: irqflags violated     interrupts stay off for an LED that is not there
#include <linux/module.h>
#include <linux/io.h>
#include <linux/leds.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

struct blinker {
	struct led_classdev led;
	struct delayed_work work;
	spinlock_t lock;
	void __iomem *base;
	int on;
};

static void blink(struct work_struct *work)
{
	struct blinker *blinker = container_of(work, struct blinker, work.work);
	unsigned long flags;

	spin_lock_irqsave(&blinker->lock, flags);
	blinker->on = !blinker->on;
	writel(blinker->on, blinker->base);
	spin_unlock_irqrestore(&blinker->lock, flags);
	schedule_delayed_work(&blinker->work, HZ);
}

static void set_brightness(struct led_classdev *led, enum led_brightness brightness)
{
	struct blinker *blinker = container_of(led, struct blinker, led);
	unsigned long flags;

#if BROKEN == 2
	flush_delayed_work(&blinker->work);
#endif
	spin_lock_irqsave(&blinker->lock, flags);
	blinker->on = brightness != LED_OFF;
	writel(brightness, blinker->base);
#if BROKEN == 3
	if (readl(blinker->base) == 0xffffffff) {
		spin_unlock(&blinker->lock);
		return;
	}
#endif
	spin_unlock_irqrestore(&blinker->lock, flags);
}

static int blinker_probe(struct platform_device *pdev)
{
	struct blinker *blinker;
	int error;

	blinker = devm_kzalloc(&pdev->dev, sizeof(*blinker), GFP_KERNEL);
	if (!blinker)
		return -ENOMEM;
	spin_lock_init(&blinker->lock);
	INIT_DELAYED_WORK(&blinker->work, blink);
	blinker->base = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(blinker->base))
		return PTR_ERR(blinker->base);
	blinker->led.name = "blinker";
	blinker->led.brightness_set = set_brightness;
	platform_set_drvdata(pdev, blinker);
	error = led_classdev_register(&pdev->dev, &blinker->led);
	if (error)
		return error;
	schedule_delayed_work(&blinker->work, HZ);
	return 0;
}

static int blinker_remove(struct platform_device *pdev)
{
	struct blinker *blinker = platform_get_drvdata(pdev);

	led_classdev_unregister(&blinker->led);
#if BROKEN != 1
	cancel_delayed_work_sync(&blinker->work);
#endif
	return 0;
}

static struct platform_driver blinker_driver = {
	.probe = blinker_probe,
	.remove = blinker_remove,
	.driver = { .name = "blinker" },
};
module_platform_driver(blinker_driver);
MODULE_LICENSE("GPL");
