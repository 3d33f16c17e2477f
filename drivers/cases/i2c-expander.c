// A GPIO expander on I2C: eight pins, whose outputs are kept in a register that a mutex protects.
//
// rules: mutex, gpio, access, atomic
// correct: mutex unviolated
// broken 1: mutex violated        the lock is kept when the bus fails
// broken 2: access violated       the data of the chip is used before it is set
#include <linux/module.h>
#include <linux/gpio/driver.h>
#include <linux/i2c.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#define INPUTS 0
#define OUTPUTS 1

struct expander {
	struct i2c_client *client;
	struct gpio_chip chip;
	struct mutex lock;
	u8 outputs;
};

static int expander_get(struct gpio_chip *chip, unsigned int pin)
{
	struct expander *expander = gpiochip_get_data(chip);
	int value = i2c_smbus_read_byte_data(expander->client, INPUTS);

	return value < 0 ? value : !!(value & BIT(pin));
}

static void expander_set(struct gpio_chip *chip, unsigned int pin, int value)
{
	struct expander *expander = gpiochip_get_data(chip);

	mutex_lock(&expander->lock);
	if (value)
		expander->outputs |= BIT(pin);
	else
		expander->outputs &= ~BIT(pin);
	if (i2c_smbus_write_byte_data(expander->client, OUTPUTS, expander->outputs) < 0) {
		dev_err(&expander->client->dev, "the pin was not set\n");
#if BROKEN == 1
		return;
#endif
	}
	mutex_unlock(&expander->lock);
}

static int expander_probe(struct i2c_client *client, const struct i2c_device_id *id)
{
	struct expander *expander;

	expander = devm_kzalloc(&client->dev, sizeof(*expander), GFP_KERNEL);
	if (!expander)
		return -ENOMEM;
#if BROKEN != 2
	expander->client = client;
#endif
	mutex_init(&expander->lock);
	expander->chip.label = "expander";
	expander->chip.owner = THIS_MODULE;
	expander->chip.base = -1;
	expander->chip.ngpio = 8;
	expander->chip.can_sleep = true;
	expander->chip.get = expander_get;
	expander->chip.set = expander_set;
	i2c_set_clientdata(client, expander);
	return devm_gpiochip_add_data(&client->dev, &expander->chip, expander);
}

static const struct i2c_device_id expander_ids[] = { { "expander", 0 }, { } };
MODULE_DEVICE_TABLE(i2c, expander_ids);

static struct i2c_driver expander_driver = {
	.probe = expander_probe,
	.id_table = expander_ids,
	.driver = { .name = "expander" },
};
module_i2c_driver(expander_driver);
MODULE_LICENSE("GPL");
