// A real-time clock with an alarm.
//
// rules: access, irq, mutex
// correct: irq unviolated
// broken 1: access violated       the interrupt is requested before the clock that it tells exists
// broken 2: mutex violated        an error label unlocks once more
#include <linux/module.h>
#include <linux/bcd.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/rtc.h>
#include <linux/slab.h>

struct alarm_clock {
	void __iomem *base;
	struct rtc_device *rtc;
	struct mutex lock;
	int irq;
};

static irqreturn_t clock_irq(int irq, void *data)
{
	struct alarm_clock *clock = data;

	if (!(readl(clock->base) & 1))
		return IRQ_NONE;
	rtc_update_irq(clock->rtc, 1, RTC_AF | RTC_IRQF);
	return IRQ_HANDLED;
}

static int clock_read_time(struct device *dev, struct rtc_time *time)
{
	struct alarm_clock *clock = dev_get_drvdata(dev);
	int error = 0;

	mutex_lock(&clock->lock);
	time->tm_sec = bcd2bin(readl(clock->base + 4) & 0x7f);
	if (time->tm_sec > 59) {
		error = -EIO;
#if BROKEN == 2
		mutex_unlock(&clock->lock);
#endif
	}
	mutex_unlock(&clock->lock);
	return error;
}

static int clock_alarm_irq_enable(struct device *dev, unsigned int on)
{
	struct alarm_clock *clock = dev_get_drvdata(dev);

	writel(on, clock->base + 8);
	return 0;
}

static const struct rtc_class_ops clock_ops = {
	.read_time = clock_read_time,
	.alarm_irq_enable = clock_alarm_irq_enable,
};

static int clock_probe(struct platform_device *pdev)
{
	struct alarm_clock *clock;
	int error;

	clock = devm_kzalloc(&pdev->dev, sizeof(*clock), GFP_KERNEL);
	if (!clock)
		return -ENOMEM;
	platform_set_drvdata(pdev, clock);
	mutex_init(&clock->lock);
	clock->base = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(clock->base))
		return PTR_ERR(clock->base);
	clock->irq = platform_get_irq(pdev, 0);
	if (clock->irq < 0)
		return clock->irq;
#if BROKEN == 1
	error = request_irq(clock->irq, clock_irq, 0, "clock", clock);
	if (error)
		return error;
	clock->rtc = devm_rtc_allocate_device(&pdev->dev);
	if (IS_ERR(clock->rtc)) {
		free_irq(clock->irq, clock);
		return PTR_ERR(clock->rtc);
	}
#else
	clock->rtc = devm_rtc_allocate_device(&pdev->dev);
	if (IS_ERR(clock->rtc))
		return PTR_ERR(clock->rtc);
	error = request_irq(clock->irq, clock_irq, 0, "clock", clock);
	if (error)
		return error;
#endif
	clock->rtc->ops = &clock_ops;
	error = devm_rtc_register_device(clock->rtc);
	if (error)
		free_irq(clock->irq, clock);
	return error;
}

static int clock_remove(struct platform_device *pdev)
{
	struct alarm_clock *clock = platform_get_drvdata(pdev);

	free_irq(clock->irq, clock);
	return 0;
}

static struct platform_driver clock_driver = {
	.probe = clock_probe,
	.remove = clock_remove,
	.driver = { .name = "alarm-clock" },
};
module_platform_driver(clock_driver);
MODULE_LICENSE("GPL");
