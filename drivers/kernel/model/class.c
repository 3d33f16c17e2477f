/* Classes of devices: what was registered is used by somebody, in any order. */
struct input_dev *boolero_input;
int boolero_input_opened;
struct input_dev *input_allocate_device(void) { boolero_may_sleep(); return boolero_fails() ? NULL : calloc(1, sizeof(struct input_dev)); }
void boolero_release_input(void *input) { boolero_close_input(input); free(input); }
struct input_dev *devm_input_allocate_device(struct device *dev) {
	boolero_may_sleep();
	if (boolero_fails())
		return NULL;
	struct input_dev *input = calloc(1, sizeof(struct input_dev));
	input->boolero_registered = 2;
	boolero_devres(boolero_release_input, input);
	return input;
}
int input_register_device(struct input_dev *dev) { boolero_may_sleep(); if (boolero_fails()) return -ENOMEM; boolero_input = dev; boolero_meanwhile(); return 0; }
void boolero_close_input(struct input_dev *dev) {
	if (boolero_input != dev)
		return;
	boolero_input = NULL;
	if (!boolero_input_opened)
		return;
	boolero_input_opened = 0;
	if (dev->close) {
		callback_enter();
		dev->close(dev);
		callback_return();
	}
}
void input_unregister_device(struct input_dev *dev) { boolero_may_sleep(); boolero_close_input(dev); if (dev->boolero_registered != 2) free(dev); }
void input_free_device(struct input_dev *dev) { if (dev && dev->boolero_registered != 2) free(dev); }
void input_event(struct input_dev *dev, unsigned int type, unsigned int code, int value) { dev->users = dev->users; }
void input_set_capability(struct input_dev *dev, unsigned int type, unsigned int code) { dev->evbit[0] |= BIT(type & 31); }
void input_set_abs_params(struct input_dev *dev, unsigned int axis, int least, int most, int fuzz, int flat) { dev->evbit[0] |= BIT(EV_ABS); }
void boolero_step_input(void) {
	struct input_dev *dev = boolero_input;
	if (!dev)
		return;
	callback_enter();
	if (!boolero_input_opened) {
		boolero_input_opened = dev->open ? !dev->open(dev) : 1;
	} else if (dev->event && boolero_any()) {
		dev->event(dev, __VERIFIER_nondet_uint(), __VERIFIER_nondet_uint(), __VERIFIER_nondet_int());
	} else {
		boolero_input_opened = 0;
		if (dev->close)
			dev->close(dev);
	}
	callback_return();
}

struct rtc_device *boolero_rtc;
const struct rtc_class_ops *boolero_rtc_ops;
void boolero_release_rtc(void *rtc) { if (boolero_rtc == rtc) boolero_rtc = NULL; free(rtc); }
struct rtc_device *devm_rtc_allocate_device(struct device *dev) {
	boolero_may_sleep();
	if (boolero_fails())
		return ERR_PTR(-ENOMEM);
	struct rtc_device *rtc = calloc(1, sizeof(*rtc));
	rtc->dev.parent = dev;
	boolero_devres(boolero_release_rtc, rtc);
	return rtc;
}
int devm_rtc_register_device(struct rtc_device *rtc) { boolero_may_sleep(); if (boolero_fails()) return -EBUSY; boolero_rtc = rtc; boolero_meanwhile(); return 0; }
struct rtc_device *boolero_new_rtc(struct device *dev, const struct rtc_class_ops *ops) {
	if (boolero_fails())
		return ERR_PTR(-EBUSY);
	struct rtc_device *rtc = calloc(1, sizeof(*rtc));
	rtc->dev.parent = dev;
	rtc->ops = ops;
	boolero_rtc = rtc;
	boolero_meanwhile();
	return rtc;
}
struct rtc_device *devm_rtc_device_register(struct device *dev, const char *name, const struct rtc_class_ops *ops, struct module *owner) {
	boolero_may_sleep();
	struct rtc_device *rtc = boolero_new_rtc(dev, ops);
	if (!IS_ERR(rtc))
		boolero_devres(boolero_release_rtc, rtc);
	return rtc;
}
struct rtc_device *rtc_device_register(const char *name, struct device *dev, const struct rtc_class_ops *ops, struct module *owner) { boolero_may_sleep(); return boolero_new_rtc(dev, ops); }
void rtc_device_unregister(struct rtc_device *rtc) { boolero_may_sleep(); boolero_release_rtc(rtc); }
void rtc_update_irq(struct rtc_device *rtc, unsigned long count, unsigned long events) {
	if (IS_ERR_OR_NULL(rtc))
		boolero_use_of_nothing();
	rtc->irq_data = rtc->irq_data + count;
}
void boolero_use_of_nothing(void) { *(volatile int *)0 = 0; }
void boolero_step_rtc(void) {
	struct rtc_device *rtc = boolero_rtc;
	if (!rtc || !rtc->ops || !rtc->dev.parent)
		return;
	struct rtc_time time;
	struct rtc_wkalrm alarm;
	memset(&time, 0, sizeof(time));
	memset(&alarm, 0, sizeof(alarm));
	mutex_lock(&rtc->ops_lock);
	callback_enter();
	if (rtc->ops->read_time && boolero_any())
		rtc->ops->read_time(rtc->dev.parent, &time);
	else if (rtc->ops->set_time && boolero_any())
		rtc->ops->set_time(rtc->dev.parent, &time);
	else if (rtc->ops->read_alarm && boolero_any())
		rtc->ops->read_alarm(rtc->dev.parent, &alarm);
	else if (rtc->ops->set_alarm && boolero_any())
		rtc->ops->set_alarm(rtc->dev.parent, &alarm);
	else if (rtc->ops->alarm_irq_enable && boolero_any())
		rtc->ops->alarm_irq_enable(rtc->dev.parent, boolero_any());
	else if (rtc->ops->ioctl)
		rtc->ops->ioctl(rtc->dev.parent, __VERIFIER_nondet_uint(), __VERIFIER_nondet_ulong());
	callback_return();
	mutex_unlock(&rtc->ops_lock);
}
int rtc_valid_tm(struct rtc_time *time) { return boolero_fails() ? -EINVAL : 0; }
void rtc_time64_to_tm(time64_t time, struct rtc_time *tm) { tm->tm_sec = __VERIFIER_nondet_uchar() % 60; }
time64_t rtc_tm_to_time64(struct rtc_time *tm) { return (time64_t)__VERIFIER_nondet_ulong(); }
int _rtc_tm_to_time(struct rtc_time *tm, unsigned long *time) { *time = __VERIFIER_nondet_ulong(); return 0; }

struct watchdog_device *boolero_watchdog;
int watchdog_init_timeout(struct watchdog_device *wdd, unsigned int timeout, struct device *dev) { return boolero_fails() ? -EINVAL : 0; }
int watchdog_register_device(struct watchdog_device *wdd) { boolero_may_sleep(); if (boolero_fails()) return -EBUSY; boolero_watchdog = wdd; boolero_meanwhile(); return 0; }
void watchdog_unregister_device(struct watchdog_device *wdd) { boolero_may_sleep(); boolero_watchdog = NULL; }
void boolero_release_watchdog(void *wdd) { boolero_watchdog = NULL; }
int devm_watchdog_register_device(struct device *dev, struct watchdog_device *wdd) { int error = watchdog_register_device(wdd); if (!error) boolero_devres(boolero_release_watchdog, wdd); return error; }
void boolero_step_watchdog(void) {
	struct watchdog_device *wdd = boolero_watchdog;
	if (!wdd || !wdd->ops)
		return;
	callback_enter();
	if (wdd->status & BIT(WDOG_ACTIVE)) {
		if (wdd->ops->ping && boolero_any())
			wdd->ops->ping(wdd);
		else if (wdd->ops->set_timeout && boolero_any())
			wdd->ops->set_timeout(wdd, 1 + (__VERIFIER_nondet_uchar() & 63));
		else if (wdd->ops->get_timeleft && boolero_any())
			wdd->ops->get_timeleft(wdd);
		else if (wdd->ops->stop && !wdd->ops->stop(wdd))
			wdd->status &= ~BIT(WDOG_ACTIVE);
	} else if (wdd->ops->start && !wdd->ops->start(wdd)) {
		wdd->status |= BIT(WDOG_ACTIVE);
	}
	callback_return();
}

struct led_classdev *boolero_led;
struct device boolero_led_device;
int led_classdev_register(struct device *parent, struct led_classdev *led) { boolero_may_sleep(); if (boolero_fails()) return -ENOMEM; led->dev = &boolero_led_device; boolero_led_device.parent = parent; boolero_led = led; boolero_meanwhile(); return 0; }
int led_classdev_register_ext(struct device *parent, struct led_classdev *led, struct led_init_data *data) { return led_classdev_register(parent, led); }
void led_classdev_unregister(struct led_classdev *led) {
	boolero_may_sleep();
	if (led->brightness_set)
		led->brightness_set(led, LED_OFF);
	else if (led->brightness_set_blocking)
		led->brightness_set_blocking(led, LED_OFF);
	if (boolero_led == led)
		boolero_led = NULL;
}
void boolero_release_led(void *led) { led_classdev_unregister(led); }
int devm_led_classdev_register(struct device *parent, struct led_classdev *led) { int error = led_classdev_register(parent, led); if (!error) boolero_devres(boolero_release_led, led); return error; }
int devm_led_classdev_register_ext(struct device *parent, struct led_classdev *led, struct led_init_data *data) { return devm_led_classdev_register(parent, led); }
void led_set_brightness(struct led_classdev *led, unsigned int brightness) { led->brightness = brightness; }
void boolero_step_led(void) {
	struct led_classdev *led = boolero_led;
	if (!led)
		return;
	unsigned long on = 0, off = 0;
	callback_enter();
	if (led->brightness_get && boolero_any())
		led->brightness_get(led);
	else if (led->blink_set && boolero_any())
		led->blink_set(led, &on, &off);
	else if (led->brightness_set_blocking)
		led->brightness_set_blocking(led, __VERIFIER_nondet_uchar());
	else if (led->brightness_set) {
		boolero_interrupt++;
		led->brightness_set(led, __VERIFIER_nondet_uchar());
		boolero_interrupt--;
	}
	callback_return();
}

struct hwrng *boolero_hwrng;
u32 boolero_random_buffer[4];
int hwrng_register(struct hwrng *rng) { boolero_may_sleep(); if (boolero_fails()) return -EEXIST; boolero_hwrng = rng; boolero_meanwhile(); return 0; }
void hwrng_unregister(struct hwrng *rng) { boolero_may_sleep(); boolero_hwrng_stop(); boolero_hwrng = NULL; }
int boolero_hwrng_on;
void boolero_hwrng_stop(void) {
	if (!boolero_hwrng || !boolero_hwrng_on)
		return;
	boolero_hwrng_on = 0;
	if (boolero_hwrng->cleanup) {
		callback_enter();
		boolero_hwrng->cleanup(boolero_hwrng);
		callback_return();
	}
}
void boolero_release_hwrng(void *rng) { hwrng_unregister(rng); }
int devm_hwrng_register(struct device *dev, struct hwrng *rng) { int error = hwrng_register(rng); if (!error) boolero_devres(boolero_release_hwrng, rng); return error; }
void boolero_step_hwrng(void) {
	struct hwrng *rng = boolero_hwrng;
	if (!rng)
		return;
	callback_enter();
	if (!boolero_hwrng_on)
		boolero_hwrng_on = rng->init ? !rng->init(rng) : 1;
	else if (rng->read)
		rng->read(rng, boolero_random_buffer, 4 + (__VERIFIER_nondet_uchar() & 12), boolero_any());
	else if (rng->data_read && (!rng->data_present || rng->data_present(rng, boolero_any())))
		rng->data_read(rng, boolero_random_buffer);
	callback_return();
	if (boolero_any())
		boolero_hwrng_stop();
}

struct gpio_chip *boolero_gpio_chip;
int gpiochip_add_data(struct gpio_chip *chip, void *data) { boolero_may_sleep(); chip->boolero_data = data; if (boolero_fails()) return -EBUSY; boolero_gpio_chip = chip; boolero_meanwhile(); return 0; }
void _gpiochip_remove(struct gpio_chip *chip) { boolero_may_sleep(); boolero_gpio_chip = NULL; }
void boolero_release_gpio_chip(void *chip) { boolero_gpio_chip = NULL; }
int devm_gpiochip_add_data(struct device *dev, struct gpio_chip *chip, void *data) { int error = gpiochip_add_data(chip, data); if (!error) boolero_devres(boolero_release_gpio_chip, chip); return error; }
void boolero_step_gpio_chip(void) {
	struct gpio_chip *chip = boolero_gpio_chip;
	if (!chip)
		return;
	unsigned int line = chip->ngpio ? __VERIFIER_nondet_uchar() % chip->ngpio : 0;
	if (!chip->can_sleep)
		boolero_interrupt++;
	callback_enter();
	if (chip->get && boolero_any())
		chip->get(chip, line);
	else if (chip->set && boolero_any())
		chip->set(chip, line, boolero_any());
	else if (chip->direction_input && boolero_any())
		chip->direction_input(chip, line);
	else if (chip->direction_output)
		chip->direction_output(chip, line, boolero_any());
	callback_return();
	if (!chip->can_sleep)
		boolero_interrupt--;
}
int register_reboot_notifier(struct notifier_block *nb) { return boolero_fails() ? -EINVAL : 0; }
int unregister_reboot_notifier(struct notifier_block *nb) { return 0; }
