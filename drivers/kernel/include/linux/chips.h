/* Chips with several functions, and what boards say of devices: the structures; numbers of registers are taken as `boolero driver` takes all missing constants. */
#ifndef BOOLERO_CHIPS_H
#define BOOLERO_CHIPS_H
#include <linux/kernel.h>
#include <linux/clk.h>
#include <linux/i2c.h>
#include <linux/input.h>
#include <linux/gpio.h>
struct pm860x_chip { struct device *dev; struct i2c_client *client; struct i2c_client *companion; struct regmap *regmap; int id; int irq_base; unsigned int wakeup_flag; };
struct pm860x_rtc_pdata { int (*sync)(unsigned int); int vrtc; };
struct pm860x_led_pdata { int iset; };
struct pm860x_backlight_pdata { int pwm; int iset; };
int pm860x_reg_read(struct i2c_client *client, int reg);
int pm860x_reg_write(struct i2c_client *client, int reg, unsigned char data);
int pm860x_bulk_read(struct i2c_client *client, int reg, int count, unsigned char *buffer);
int pm860x_bulk_write(struct i2c_client *client, int reg, int count, unsigned char *buffer);
int pm860x_set_bits(struct i2c_client *client, int reg, unsigned char mask, unsigned char data);
int pm860x_page_bulk_read(struct i2c_client *client, int reg, int count, unsigned char *buffer);
int pm860x_page_bulk_write(struct i2c_client *client, int reg, int count, unsigned char *buffer);
int pm860x_page_reg_read(struct i2c_client *client, int reg);
int pm860x_page_reg_write(struct i2c_client *client, int reg, unsigned char data);
int pm860x_page_set_bits(struct i2c_client *client, int reg, unsigned char mask, unsigned char data);

struct rk808 { struct i2c_client *i2c; struct regmap_irq_chip_data *irq_data; struct regmap *regmap; long variant; };
struct mt6397_chip { struct device *dev; struct regmap *regmap; int irq; struct irq_domain *irq_domain; struct mutex irqlock; u16 chip_id; };
struct mt6397_rtc { struct device *dev; struct rtc_device *rtc_dev; struct mutex lock; struct regmap *regmap; int irq; u32 addr_base; const void *data; };
struct tps65910 { struct device *dev; struct i2c_client *i2c_client; struct regmap *regmap; unsigned long id; int chip_irq; };
struct sa1100_rtc { spinlock_t lock; void *rcnr, *rtsr, *rtar, *rttr; int irq_1hz, irq_alarm; struct rtc_device *rtc; struct clk *clk; };
int sa1100_rtc_init(struct platform_device *pdev, struct sa1100_rtc *info);
struct mc13xxx { struct regmap *regmap; struct device *dev; int irq; };
void mc13xxx_lock(struct mc13xxx *chip);
void mc13xxx_unlock(struct mc13xxx *chip);
int mc13xxx_reg_read(struct mc13xxx *chip, unsigned int reg, u32 *value);
int mc13xxx_reg_write(struct mc13xxx *chip, unsigned int reg, u32 value);
int mc13xxx_reg_rmw(struct mc13xxx *chip, unsigned int reg, u32 mask, u32 value);
int mc13xxx_irq_request(struct mc13xxx *chip, int irq, irq_handler_t handler, const char *name, void *dev);
int mc13xxx_irq_request_nounmask(struct mc13xxx *chip, int irq, irq_handler_t handler, const char *name, void *dev);
int mc13xxx_irq_free(struct mc13xxx *chip, int irq, void *dev);
int mc13xxx_irq_ack(struct mc13xxx *chip, int irq);
int mc13xxx_irq_mask(struct mc13xxx *chip, int irq);
int mc13xxx_irq_unmask(struct mc13xxx *chip, int irq);
int mc13xxx_irq_status(struct mc13xxx *chip, int irq, int *enabled, int *pending);
typedef unsigned long long timeu64_t;
struct intel_soc_pmic { int irq; struct regmap *regmap; struct regmap_irq_chip_data *irq_chip_data; struct device *dev; };
struct arizona_pdata { int gpio_base; int reset; };
struct arizona { struct regmap *regmap; struct device *dev; int type; unsigned int rev; struct arizona_pdata pdata; };
struct twl4030_keypad_data { const struct matrix_keymap_data *keymap_data; unsigned int rows, cols; bool rep; };
int twl_i2c_read(u8 module, u8 *values, u8 reg, unsigned int count);
int twl_i2c_write(u8 module, u8 *values, u8 reg, unsigned int count);
int twl_i2c_write_u8(u8 module, u8 value, u8 reg);
int twl_i2c_read_u8(u8 module, u8 *value, u8 reg);
struct ep93xx_keypad_platform_data { struct matrix_keymap_data *keymap_data; unsigned int debounce, prescale, flags, clk_rate; };
int ep93xx_keypad_acquire_gpio(struct platform_device *pdev);
void ep93xx_keypad_release_gpio(struct platform_device *pdev);
struct pm8xxx_pwrkey_platform_data { bool pull_up; u16 kpd_trigger_delay_us; u32 wakeup; };
int pm8xxx_readb(const struct device *dev, u16 address, u8 *value);
int pm8xxx_writeb(const struct device *dev, u16 address, u8 value);
struct adp5520_backlight_platform_data { u8 fade_in, fade_out, fade_led_law, en_ambl_sens, abml_filt, l1_daylight_max, l1_daylight_dim, l2_office_max, l2_office_dim, l3_dark_max, l3_dark_dim, l2_trip, l2_hyst, l3_trip, l3_hyst; };
int adp5520_read(struct device *dev, int reg, uint8_t *value);
int adp5520_write(struct device *dev, int reg, u8 value);
int adp5520_set_bits(struct device *dev, int reg, uint8_t bits);
int adp5520_clr_bits(struct device *dev, int reg, uint8_t bits);
struct adp5588_gpio_platform_data { int gpio_start; const char *const *names; unsigned int irq_base; unsigned int pullup_dis_mask; int (*setup)(struct i2c_client *, unsigned int, unsigned int, void *); int (*teardown)(struct i2c_client *, unsigned int, unsigned int, void *); void *context; };
struct rdc321x_gpio_pdata { struct pci_dev *sb_pdev; unsigned int max_gpios; };
struct rdc321x_wdt_pdata { struct pci_dev *sb_pdev; };
struct w1_bus_master { void *data; u8 (*read_bit)(void *); void (*write_bit)(void *, u8); u8 (*touch_bit)(void *, u8); u8 (*read_byte)(void *); void (*write_byte)(void *, u8); u8 (*read_block)(void *, u8 *, int); void (*write_block)(void *, const u8 *, int); u8 (*triplet)(void *, u8); u8 (*reset_bus)(void *); u8 (*set_pullup)(void *, int); void (*search)(); };
int w1_add_master_device(struct w1_bus_master *master);
void w1_remove_master_device(struct w1_bus_master *master);
enum ns2_led_modes { NS_V2_LED_OFF, NS_V2_LED_ON, NS_V2_LED_SATA };
struct ns2_led_modval { enum ns2_led_modes mode; int cmd_level; int slow_level; };
struct ns2_led { const char *name; const char *default_trigger; unsigned int cmd, slow; int num_modes; struct ns2_led_modval *modval; };
struct ns2_led_platform_data { int num_leds; struct ns2_led *leds; };
struct wm831x { struct device *dev; struct regmap *regmap; struct mutex io_lock; };
enum wm831x_status_src { WM831X_STATUS_PRESERVE = 1, WM831X_STATUS_OTP, WM831X_STATUS_POWER, WM831X_STATUS_CHARGER, WM831X_STATUS_MANUAL };
struct wm831x_status_pdata { enum wm831x_status_src default_src; const char *name; const char *default_trigger; };
struct wm831x_pdata { struct wm831x_status_pdata *status[2]; };
int wm831x_reg_read(struct wm831x *chip, unsigned short reg);
int wm831x_reg_write(struct wm831x *chip, unsigned short reg, unsigned short value);
int wm831x_set_bits(struct wm831x *chip, unsigned short reg, unsigned short mask, unsigned short value);
struct extcon_dev { const char *name; struct device dev; const unsigned int *supported_cable; };
struct extcon_dev *devm_extcon_dev_allocate(struct device *dev, const unsigned int *cables);
int devm_extcon_dev_register(struct device *dev, struct extcon_dev *edev);
int extcon_set_state_sync(struct extcon_dev *edev, unsigned int id, bool state);
#endif
