/* The whole kernel, for models, rules and harnesses. */
#include <linux/kernel.h>
#include <linux/fs.h>
#include <linux/clk.h>
#include <linux/gpio.h>
#include <linux/i2c.h>
#include <linux/usb.h>
#include <linux/input.h>
#include <linux/tty.h>
#include <linux/hid.h>
